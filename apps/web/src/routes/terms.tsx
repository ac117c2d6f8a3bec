import { serviceText } from '../features/services/texts.ts';
import { PageHead } from '../ui/page-head.tsx';
import { ReadingPage } from '../ui/reading-page.tsx';
import { protectedPageNames } from './texts.ts';

const text = {
  name: 'Terms',
  description: 'The rules for adding services and writing reviews on RTR Cloud Kitchen.',
  lead: 'These rules apply to everyone who adds services or writes reviews. By doing so, you agree to them.',
  passages: [
    {
      title: 'Your content',
      body: [
        'You own what you write. You allow us to show your services, reviews and replies publicly on this site until they are deleted.',
        'If you add a service, you can reply once to each of its reviews by others. The same rules apply to replies.',
        'Write about your own experience. Do not post false statements about people, private information about others, anything illegal, or pictures that you have no right to use.',
        `With “${protectedPageNames.ask}”, you can write to a lister. Only the two of you can read the request. Do not use requests for advertising, and do not publish what the other person wrote or sent to you. The same rules apply to messages and their photos.`,
        'Mark a review as useful only if it helped you. Do not use several accounts to mark the same review.',
      ],
    },
    {
      title: 'Services that you add',
      body: [
        `${serviceText.whoCanAdd} Describe the service accurately, and give its real price. You can edit and withdraw your services at any time.`,
        'Your name and the contact details that you enter are shown with the service. Enter only a phone number and a website that are yours.',
      ],
    },
    {
      title: 'What you read here',
      body: [
        'Listers and customers write the prices, descriptions and reviews. We do not check what they write. When you hire someone, the agreement is between you and them. We are not part of it.',
        'Gas, fire and electrical work can be dangerous. Ask to see the licences that your local law requires.',
      ],
    },
    {
      title: 'Your account',
      body: [
        'We send you emails about your news only if you choose this on your account page. Each email has a link that stops them.',
        'Keep your password secret. You can delete your account at any time. This also deletes your reviews, your replies and your photos in requests.',
        'Our moderators can hide reviews, replies and services that break these rules. Other people can then no longer see them, and the author can read the reason. They can also hide messages that were reported. They can also remove pictures for good. We can also turn off the accounts of people who break the rules.',
        'If you see something that breaks these rules, report it with “Report”. A moderator then decides, and you can see the outcome on your account page.',
      ],
    },
    {
      title: 'What we promise',
      body: [
        'We do our best to keep the site running, and we handle your data as the Privacy page describes. We cannot promise that the site will always be available or free of errors.',
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
