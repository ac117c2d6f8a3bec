import { serviceText } from '../features/services/texts.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ReadingPage } from '../ui/reading-page.tsx';

const text = {
  name: 'About',
  description: 'Find kitchen services and read customer reviews. No advertising and no paid placement.',
  lead: 'Find services for your kitchen, and read what other customers say about them.',
  passages: [
    {
      title: 'What you can find here',
      body: [
        'Services for professional kitchens: hood installation and repair, duct cleaning, air conditioning, cold rooms, and gas and fire safety.',
        'The page of each service shows customer reviews, with stars, text and date.',
      ],
    },
    {
      title: 'Who adds services',
      body: [
        `${serviceText.whoCanAdd} People who add services are called listers. They enter the title, price, description, picture and their own rating. We do not check these details.`,
        'Listers can review their own service, but their stars do not count in its star rating.',
      ],
    },
    {
      title: 'What we do not offer',
      body: [],
      points: [
        'Paid placement. Lists start with the newest services, and you can change the order.',
        'Booking or payment. You arrange and pay for the work outside this site.',
        'Advertising.',
      ],
    },
    {
      title: 'About the illustrations',
      body: [
        'Our illustrations show kitchens from the front, like a technical drawing. Hot air from the stove is red, and cool air is blue.',
      ],
    },
  ],
  reviews: 'How reviews work',
};

export function Component() {
  return (
    <>
      <PageHead name={text.name} listed={{ path: '/about', description: text.description }} />
      <ReadingPage title={text.name} lead={text.lead} picture="/pictures/hero-install.svg" passages={text.passages}>
        <ButtonLink to="/services">{serviceText.seeAll}</ButtonLink>
        <ButtonLink tone="quiet" to="/how-reviews-work">
          {text.reviews}
        </ButtonLink>
      </ReadingPage>
    </>
  );
}
