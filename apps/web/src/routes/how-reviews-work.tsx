import { limits } from '@rtr/shared';
import { reviewText } from '../features/reviews/texts.ts';
import { serviceText } from '../features/services/texts.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ReadingPage } from '../ui/reading-page.tsx';

const text = {
  name: 'How reviews work',
  description: 'Who can write reviews, how star ratings are calculated, and what the lister’s own rating means.',
  lead: 'A review is a customer’s opinion of a service. We show it exactly as it was written, with the author’s name.',
  passages: [
    {
      title: 'Who can write a review',
      body: [
        'Anyone who is logged in can review any service. We do not check whether the author has used the service, so read several reviews before you decide.',
        'A review shows the author’s name and photo from the day it was written, even if the author changes them later.',
      ],
    },
    {
      title: 'Stars and text',
      body: [
        `Stars and text are both optional. The text can have up to ${limits.reviewLength.toLocaleString('en')} characters.`,
        `You can write up to ${limits.liveReviewsPerService} reviews of one service. Only your newest review with stars counts towards the star rating.`,
        'The lister’s own rating is shown separately and does not count towards the star rating.',
        'Listers can review their own service. These reviews are marked “By the lister”, and their stars do not count.',
      ],
    },
    {
      title: 'Order of reviews',
      body: [
        'The newest reviews come first. You can sort reviews by how many customers found them useful, by highest or lowest rating, or show only reviews with a certain number of stars. Nobody can pin a review to the top.',
      ],
    },
    {
      title: 'Useful reviews',
      body: [
        'If a review helped you, you can mark it as useful. Each customer counts once, and nobody can mark their own reviews. Everyone can see how many customers found a review useful, but not who they are.',
      ],
    },
    {
      title: 'Editing and deleting reviews',
      body: [
        'You can edit and delete only your own reviews. An edited review is marked “edited”.',
        reviewText.deletion,
      ],
    },
    {
      title: 'Replies',
      body: [
        `The lister can reply once to each review, with up to ${limits.replyLength.toLocaleString('en')} characters. The reply is shown below the review, with the lister’s name and the label “Lister”.`,
        'Listers can edit and delete their replies. An edited reply is marked “edited”. When a review is deleted, its reply is deleted too.',
      ],
    },
    {
      title: 'What listers cannot do',
      body: [
        'Listers can reply to reviews of their services, but cannot edit, hide or delete single reviews. They can withdraw a service. Its reviews are then hidden too, and only their authors can read them.',
      ],
    },
  ],
};

export function Component() {
  return (
    <>
      <PageHead name={text.name} listed={{ path: '/how-reviews-work', description: text.description }} />
      <ReadingPage title={text.name} lead={text.lead} picture="/pictures/no-review.svg" passages={text.passages}>
        <ButtonLink to="/services">{serviceText.find}</ButtonLink>
        <ButtonLink tone="quiet" to="/myReview">
          {reviewText.seeYours}
        </ButtonLink>
      </ReadingPage>
    </>
  );
}
