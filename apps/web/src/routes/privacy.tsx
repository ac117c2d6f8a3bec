import { limits } from '@rtr/shared';
import { requestText } from '../features/requests/texts.ts';
import { reviewText } from '../features/reviews/texts.ts';
import { maxSavedCount, maxViewedCount } from '../features/services/saved-services.ts';
import { serviceText } from '../features/services/texts.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ReadingPage } from '../ui/reading-page.tsx';

const text = {
  name: 'Privacy',
  description: 'What we store about you, where we store it, and for how long.',
  lead: 'If you use this site without an account, our database stores nothing about you. This page explains what we store, where, and for how long.',
  passages: [
    {
      title: 'Your login details',
      body: [
        'Firebase Authentication, a Google service, stores your email, whether you have verified it, your password in a form that nobody can read, your name, the web address of your photo, and when you signed up and last logged in. If you log in with Google, no password is stored.',
        'The demo of this site does not use Google. It stores your login details, with your password unprotected, on the computer that runs the demo. Do not use a password there that you use elsewhere.',
      ],
    },
    {
      title: 'Our database',
      body: [],
      points: [
        'Each review: its text, stars, photos, date and time, your name, the web address of your photo, your email and your account ID. Other people cannot see your email or your account ID.',
        'Which reviews you marked as useful. Other people see only how many customers marked a review.',
        'Each reply to a review of your service: its text, date and time, your name, and your account ID. Other people cannot see your account ID.',
        'Each service that you add: the details that you entered, your name, and your account ID. Other people cannot see your account ID.',
        'Each picture that you upload, and your account ID. We remove the data that a camera adds to a photo, such as the place and the time. Everyone who has its web address can see the picture, unless it is a photo in a request.',
        'Each request: the service, your name, the web address of your photo and your account ID, its messages and photos with their times, and what you have read. Only you and the other person can read it and see its photos. Neither of you sees the email or the account ID of the other.',
        'When you last marked your news as read. We do not store the news: we find it in the data on this page.',
        'If you choose to get emails about news: that you chose it, up to which time we have emailed you, when we look for news next, and the key of the link that stops the emails. We send them to the email in your login details, through the mail server of this site. They contain names and titles, but no reviews and no messages.',
        'To prevent spam: how many changes you made in the last minute and, for one day, the IDs of the services and reviews that you added.',
        'Each report that you send: what it is about, your reason and text, the time, and your account ID. Moderators read it, but they do not see who sent it. If you report a message, moderators can read this message, but not its photos and not the rest of the request. You can export your reports on your account page.',
        'If you ask for another look at hidden content: your text, the time, and your account ID. Only moderators read it.',
        'A note about each review, reply, picture, service or message that we hide or restore, and about each account that we turn off or on again: its ID, who did it, when and why. The author can read why we hid it, except for a message.',
      ],
    },
    {
      title: 'Your device',
      body: [
        'Your browser stores the following data. Two of the items are cookies, rtr-session and rtr-theme. They tell our server whether you are logged in and which theme you chose. They do not identify you.',
      ],
      points: [
        `Your login details, and an access token that is valid for ${limits.accessTokenHours} hour. Signing out removes both.`,
        'The cookie rtr-session: whether someone is logged in on this device. Signing out removes it.',
        'Your drafts, until you send or save them, start over, or sign out. A draft that you wrote before you logged in stays until you send it or clear this site’s data in your browser.',
        `Up to ${maxSavedCount} saved services, until you remove them, and the last ${maxViewedCount} services that you viewed, until you clear them. They are stored on this device and not in your account, so signing out does not remove them.`,
        'The area that you last used to filter services.',
        'The cookie rtr-theme: your choice of the light or dark theme. It is stored for a year, or until you choose “System”.',
        'Until you close the tab: your scroll position, whether you were offline, and whether we reloaded the page for a new version of the site.',
      ],
    },
    {
      title: 'What others can see',
      body: [
        'Your reviews are public, with your name and photo. Your replies to reviews are public, with your name.',
        'The services that you add are public, with your name and photo and with everything that you enter in the form, such as your phone number, website, area and licence. Search engines can store them.',
        'Profile photos and service pictures that people did not upload here load from web addresses that they entered, often on other websites. Those websites can see your IP address and which browser you use, but not which page you are on.',
        'When you log in, your browser connects to Google. We show no advertising and do not sell your data.',
      ],
    },
    {
      title: 'Logs and measurements',
      body: [
        'Our two servers log each request: the time, the page or file, the result and the duration. The logs do not contain your name or your token, and email addresses are masked. To prevent overload, we count the requests from each IP address in memory for one minute, and then delete the count and the address.',
        'When you leave the site or switch to another tab, your browser sends five measurements: how fast the page loaded, appeared and responded, and how much its content moved. We add them to totals for all visitors. The totals do not contain your name, your IP address or the page that you were on.',
      ],
    },
    {
      title: 'How data is deleted',
      body: [],
      points: [
        reviewText.deletion,
        serviceText.withdrawal,
        'Deleted data stays in a backup until we delete that backup. If we restore a backup, we again delete all accounts that were deleted after it was made.',
        'A picture that you uploaded but did not use is erased after a day. A picture that you used is erased one or two days after no profile, service, review or request contains it any more.',
        `A request that is closed stays readable for both people. News is shown for ${limits.newsDays} days.`,
        `If you delete your account, all your reviews, your replies, your marks of useful reviews, your reports, your uploaded pictures, your choice about emails and your login details are erased. ${requestText.afterAccountDeletion} ${serviceText.afterAccountDeletion}`,
        'We keep the ID of a deleted account and the time of its deletion, so that nobody can use its access tokens. We also keep our notes about hidden content and about accounts that we turned off. Everything else in our database that is linked to you is erased within about a day.',
      ],
    },
  ],
  account: 'Export or delete your data',
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
