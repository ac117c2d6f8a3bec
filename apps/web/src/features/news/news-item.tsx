import type { NewsEntry, ReportedPart } from '@rtr/shared';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ageOf } from '../../lib/age.ts';
import { useNow } from '../../lib/now.tsx';
import { Chip } from '../../ui/chip.tsx';

const text = {
  new: 'New',
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

interface NewsItemProps {
  entry: NewsEntry;
  /** The title of the service. */
  title: string;
  /** The address of the place that the entry is about. */
  to: string;
}

/** An entry of the news: one sentence that says who did what and when. It is a link to the place. */
export function NewsItem({ entry, title, to }: NewsItemProps) {
  const now = useNow();
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 pb-3">
      <Link to={to} className={`min-w-0 pt-3 wrap-anywhere hover:underline ${entry.isNew ? 'font-semibold' : ''}`}>
        {sentenceOf(entry, <bdi>{title}</bdi>)}{' '}
        <time dateTime={entry.at} className="text-muted tabular-nums">
          {ageOf(entry.at, now)}
        </time>
        .
      </Link>
      {entry.isNew && <Chip tone="primary">{text.new}</Chip>}
    </p>
  );
}

function sentenceOf(entry: NewsEntry, title: ReactNode): ReactNode {
  const { kind, rating, count = 1 } = entry;
  const name = <bdi>{entry.name || text.noName}</bdi>;
  switch (kind) {
    case 'review':
      return (
        <>
          {name}
          {text.reviewed}
          {title}
          {rating !== undefined && text.withStars(rating)}
        </>
      );
    case 'reply':
      return (
        <>
          {name}
          {text.replied}
          {title}
        </>
      );
    case 'useful':
      return (
        <>
          {text.found(count)}
          {title}
          {text.useful}
        </>
      );
    case 'message':
      return (
        <>
          {name}
          {text.wrote}
          {title}
        </>
      );
    case 'decision':
      return decisionOn(entry, title, text.decided, ownParts);
    case 'report':
      return decisionOn(entry, title, text.reported, otherParts);
  }
}

function decisionOn(
  { part = 'service', outcome = 'kept', reviewId }: NewsEntry,
  title: ReactNode,
  results: typeof text.decided,
  parts: typeof ownParts,
): ReactNode {
  const isPicture = part === 'picture';
  const owner = reviewId ? 'review' : 'service';
  // Pictures are not hidden, but removed for good.
  const { before, after } = results[isPicture && outcome === 'hidden' ? 'removed' : outcome];
  return (
    <>
      {before}
      {isPicture ? pictureOf[owner] + parts[owner] : parts[part]}
      {title}
      {after}
    </>
  );
}
