import { PageHead } from '../ui/page-head.tsx';
import { ReadingPage } from '../ui/reading-page.tsx';

const text = {
  name: 'Terms',
  description: 'The few rules of listing and reviewing kitchen services here, in plain words.',
  lead: 'Few rules, in plain words. By listing or reviewing here you agree to them.',
  passages: [
    {
      title: 'What you write',
      body: [
        'It stays yours. You let us show it here to everyone, for as long as it stands. Deleting it ends that.',
        'Write what you know from your own kitchen. Nothing false about people, no one’s private details, nothing that is against the law, and no pictures you may not use.',
      ],
    },
    {
      title: 'What you list',
      body: [
        'Anyone who is signed in may list a service. Describe what is really offered, at a price that is really asked. A listing cannot be edited or removed from these pages, so read it once more before you add it.',
      ],
    },
    {
      title: 'What you read',
      body: [
        'Prices, descriptions and reviews are their authors’ words, and we do not check them. The work is agreed between you and whoever does it. We are no party to that.',
        'Gas, fire and electrical work can hurt people. Ask whoever does it for the licence that your place requires.',
      ],
    },
    {
      title: 'Your account',
      body: [
        'Keep your password to yourself. You can delete your account whenever you like, and your reviews go with it.',
        'Whoever runs this site can hide a review or a service that breaks these rules, and turn off the account behind it. A hidden review is hidden from its author too.',
      ],
    },
    {
      title: 'What we promise',
      body: [
        'To keep the site running as well as we can, and to treat what is yours as the Privacy page says. We cannot promise that it is always there or free of faults.',
      ],
    },
  ],
};

export function Component() {
  return (
    <>
      <PageHead name={text.name} listed={{ path: '/terms', description: text.description }} />
      <ReadingPage
        title={text.name}
        lead={text.lead}
        picture="/pictures/gas-safety-check.svg"
        passages={text.passages}
      />
    </>
  );
}
