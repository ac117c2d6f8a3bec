import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ReadingPage } from '../ui/reading-page.tsx';

const text = {
  name: 'About',
  description: 'Who lists services here, who reviews them, and what you do not find: paid places and advertisements.',
  lead: 'A kitchen that cannot breathe closes. Here you find who keeps its air moving, in the words of kitchens that called them.',
  passages: [
    {
      title: 'What stands here',
      body: [
        'Services for working kitchens: hoods fitted and mended, ducts cleaned, air conditioning, cold rooms, and gas made safe.',
        'Beside each service stands what customers say of it: their stars, their words, and the day they wrote them.',
      ],
    },
    {
      title: 'Who lists a service',
      body: [
        'Anyone who is signed in. Title, price, description and picture are the lister’s own, and so is the rating marked “Lister’s own rating”. We do not check them.',
        'Stars come from customers alone.',
      ],
    },
    {
      title: 'What you do not find',
      body: [],
      points: [
        'No paid places. Lists begin with the newest, and you choose the order from there.',
        'No booking and no payment. You find the service here and arrange the work yourself.',
        'No advertisements.',
      ],
    },
    {
      title: 'How it is drawn',
      body: [
        'Every picture of ours shows one kitchen from the front, as a fitter draws it. Hot air leaves the stove in red, crosses the duct, and arrives in blue. Set side by side, they hang from the same ceiling.',
      ],
    },
  ],
  services: 'See all services',
  reviews: 'How reviews work',
};

export function Component() {
  return (
    <>
      <PageHead name={text.name} listed={{ path: '/about', description: text.description }} />
      <ReadingPage title={text.name} lead={text.lead} picture="/pictures/hero-install.svg" passages={text.passages}>
        <ButtonLink to="/services">{text.services}</ButtonLink>
        <ButtonLink tone="quiet" to="/how-reviews-work">
          {text.reviews}
        </ButtonLink>
      </ReadingPage>
    </>
  );
}
