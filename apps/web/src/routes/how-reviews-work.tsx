import { limits } from '@rtr/shared';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ReadingPage } from '../ui/reading-page.tsx';

const text = {
  name: 'How reviews work',
  description: 'Who writes reviews, how customers’ stars are counted, and what the lister’s own rating is.',
  lead: 'A review is one customer’s word about one service. It stands as it was typed, under the name of who wrote it.',
  passages: [
    {
      title: 'Who writes them',
      body: [
        'Anyone who is signed in, about any service. We do not check whether the work was done, so read several before you decide.',
        'A review shows the name and photo its author had when it was written. A later name or photo does not change it.',
      ],
    },
    {
      title: 'Stars and words',
      body: [
        'Both are optional. Words can run to 5,000 characters.',
        `A customer can have up to ${limits.liveReviewsPerService} reviews of one service, but counts once in its stars: the newest review with stars is taken. The average and the bars are counted from those.`,
        'The lister’s own rating stands apart, with its label, and never enters the average.',
        'Listers can review their own service. Such a review is marked “By the lister”, and its stars count nowhere.',
      ],
    },
    {
      title: 'In which order',
      body: [
        'Newest first. You can ask for the highest or the lowest first, or for one number of stars alone. Nobody can pin a review to the top.',
      ],
    },
    {
      title: 'Changing your mind',
      body: [
        'You can edit or delete your own reviews, and only yours. An edited review is marked “edited”.',
        'A deleted review is hidden at once. Undo stands in its place until you leave the page, and works for 10 minutes. About a day later the review is erased.',
      ],
    },
    {
      title: 'What a lister cannot do',
      body: ['Edit, hide or delete a review of their service.'],
    },
  ],
  services: 'Find a service',
  mine: 'Open My Review',
};

export function Component() {
  return (
    <>
      <PageHead name={text.name} listed={{ path: '/how-reviews-work', description: text.description }} />
      <ReadingPage title={text.name} lead={text.lead} picture="/pictures/no-review.svg" passages={text.passages}>
        <ButtonLink to="/services">{text.services}</ButtonLink>
        <ButtonLink tone="quiet" to="/myReview">
          {text.mine}
        </ButtonLink>
      </ReadingPage>
    </>
  );
}
