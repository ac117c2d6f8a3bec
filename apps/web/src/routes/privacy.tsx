import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ReadingPage } from '../ui/reading-page.tsx';

const text = {
  name: 'Privacy',
  description: 'What is kept about you once you have an account, where, and for how long.',
  lead: 'You can read everything here without an account, and then our database holds nothing about you. This page lists what is kept once you have one.',
  passages: [
    {
      title: 'With your login',
      body: [
        'Firebase Authentication, a service of Google, keeps your email, your password in a form that cannot be read back, your name, the address of your photo, and when you signed up and last logged in. With Google sign-in there is no password here.',
        'In the demo a stand-in on the same machine does this. Use no password there that you use elsewhere.',
      ],
    },
    {
      title: 'In our database',
      body: [],
      points: [
        'Each review: words, stars, date and time, your name, the address of your photo, your email and the number of your account. Other people never see the last two.',
        'Each service you list: what you typed, and the number of your account, which nobody is shown.',
        'A count of your last minute’s writes, and for a day the numbers of the services and reviews you added, so that nobody floods the kitchen.',
        'When we hide or restore something, or turn an account off or on: what was done, when, by which of us and why, with the number of the review, the service or the account.',
      ],
    },
    {
      title: 'On this device',
      body: [
        'Your browser keeps these for us. Two of them are cookies, which our server reads to send the right page: rtr-session and rtr-theme. Neither says who you are.',
      ],
      points: [
        'Your login, and a token that our server takes for 1 hour. Signing out removes both.',
        'That someone is logged in on this device, in the cookie rtr-session. Signing out removes it.',
        'What you are writing, until it is sent or saved, you start over, or you sign out. What you typed before logging in stays until it is sent or you clear this site’s data.',
        'The services you save, at most 200, until you unsave them, and the last 12 you looked at, until you clear them. They belong to this device and not to an account, so signing out leaves them.',
        'Light or dark, once you choose one, in the cookie rtr-theme. It lasts a year, or until you choose System.',
        'How far you had scrolled, for which version of this site a page was reloaded by itself, and whether the network was away, until you close the tab.',
      ],
    },
    {
      title: 'What others learn',
      body: [
        'Reviews are public, with name and photo.',
        'Photos and pictures of services load from the addresses that customers gave, often on other websites. Whoever runs such a website sees the network address of your device and which browser you use, as with any picture on the web, but not which page you are on.',
        'Signing in talks to Google. We show no advertisements and sell nothing about you.',
      ],
    },
    {
      title: 'What our server writes down',
      body: [
        'A line in the logs of our two servers for each request: when, which page or file, how it ended and how long it took. Your name and your token are not in it, and emails are masked. Network addresses are counted in memory for a minute and forgotten.',
        'When you leave, or look at something else, your browser sends five figures: how soon the page came, showed and answered, and how much it shifted. They join everybody’s, with no name, no page and no network address.',
      ],
    },
    {
      title: 'How it goes away',
      body: [],
      points: [
        'A review you delete is hidden at once and erased about a day later. For 10 minutes Undo can bring it back.',
        'Backups hold what was deleted until whoever runs this kitchen discards them. Should one be restored, accounts deleted since are deleted again before anyone is let in.',
        'Deleting your account erases all your reviews and your login. Services that you added stay on the site, without an owner.',
        'The number of a deleted account is kept, with the time of its deletion, so that no old token opens it again; and our note, if we ever turned it off or on. Nothing else of it remains in our database after a day.',
      ],
    },
  ],
  account: 'Export or delete what is yours',
};

export function Component() {
  return (
    <>
      <PageHead name={text.name} listed={{ path: '/privacy', description: text.description }} />
      <ReadingPage
        title={text.name}
        lead={text.lead}
        picture="/pictures/cold-room-doors-seals.svg"
        passages={text.passages}
      >
        <ButtonLink tone="quiet" to="/account">
          {text.account}
        </ButtonLink>
      </ReadingPage>
    </>
  );
}
