import { addressOfRequest, addressOfReview } from './addresses.ts';
import type { ReportedPart } from './moderation.ts';
import { titleOf } from './name.ts';
import type { NewsEntry } from './news.ts';

/** A part of a sentence. `userText` is a text that a person has entered, such as a name, in any language and direction. */
export type SentencePart = string | { userText: string };

type DescribedEntry = Omit<NewsEntry, 'at' | 'isNew'>;

const text = {
  noName: 'Customer',
  reviewed: ' reviewed ',
  withStars: (stars: number) => ` with ${stars} ${stars === 1 ? 'star' : 'stars'}`,
  replied: ' replied to your review of ',
  found: (count: number) => `${count} ${count === 1 ? 'customer' : 'customers'} found your review of `,
  useful: ' useful',
  wrote: ' sent you a message about ',
  decided: {
    hidden: { before: 'A moderator hid ', after: '' },
    removed: { before: 'A moderator removed ', after: '' },
    kept: { before: 'A moderator kept ', after: ' visible' },
  },
  reported: {
    hidden: { before: 'After your report, a moderator hid ', after: '' },
    removed: { before: 'After your report, a moderator removed ', after: '' },
    kept: { before: 'A moderator read your report and kept ', after: ' visible' },
  },
};

/** The beginning of the name of a part. The title of the service follows. */
const ownParts: Record<Exclude<ReportedPart, 'picture'>, string> = {
  review: 'your review of ',
  reply: 'your reply to a review of ',
  service: 'your service ',
  message: 'your message about ',
};
const otherParts: typeof ownParts = {
  review: 'the review of ',
  reply: 'the reply to a review of ',
  service: 'the service ',
  message: 'the message about ',
};
const pictureOf = { review: 'the photos of ', service: 'the picture of ' };

/** Returns the sentence that says who did what, without the time and the full stop. */
export function newsSentence(entry: DescribedEntry): SentencePart[] {
  const { kind, rating, count = 1 } = entry;
  const title = { userText: titleOf(entry) };
  const name = { userText: entry.name || text.noName };
  switch (kind) {
    case 'review':
      return [name, text.reviewed, title, ...(rating === undefined ? [] : [text.withStars(rating)])];
    case 'reply':
      return [name, text.replied, title];
    case 'useful':
      return [text.found(count), title, text.useful];
    case 'message':
      return [name, text.wrote, title];
    case 'decision':
      return decisionOn(entry, title, text.decided, ownParts);
    case 'report':
      return decisionOn(entry, title, text.reported, otherParts);
  }
}

function decisionOn(
  { part = 'service', outcome = 'kept', reviewId }: DescribedEntry,
  title: SentencePart,
  results: typeof text.decided,
  parts: typeof ownParts,
): SentencePart[] {
  const isPicture = part === 'picture';
  const owner = reviewId ? 'review' : 'service';
  // Pictures are not hidden, but removed for good.
  const { before, after } = results[isPicture && outcome === 'hidden' ? 'removed' : outcome];
  return [before, isPicture ? pictureOf[owner] + parts[owner] : parts[part], title, after];
}

/** Returns the address of the place that an entry is about. Hidden content has no public place, but a list of the author. */
export function addressOfNews({ kind, serviceId, reviewId, requestId, part }: DescribedEntry): string {
  if (kind === 'report') return '/account#reports';
  if (requestId) return addressOfRequest(requestId);
  if (kind === 'decision') return part === 'review' || (part === 'picture' && reviewId) ? '/myreview' : '/myservices';
  return reviewId ? addressOfReview({ serviceId, _id: reviewId }) : `/services/${serviceId}`;
}
