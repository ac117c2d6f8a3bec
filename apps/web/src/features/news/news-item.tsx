import { addressOfNews, type NewsEntry, newsSentence } from '@rtr/shared';
import { Link } from 'react-router-dom';
import { ageOf } from '../../lib/age.ts';
import { useNow } from '../../lib/now.tsx';
import { Chip } from '../../ui/chip.tsx';

const text = { new: 'New' };

/** An entry of the news: one sentence that says who did what and when. It is a link to the place. */
export function NewsItem({ entry }: { entry: NewsEntry }) {
  const now = useNow();
  const sentence = newsSentence(entry).map((part, index) =>
    // oxlint-disable-next-line react/no-array-index-key -- the parts of a sentence never move
    typeof part === 'string' ? part : <bdi key={index}>{part.userText}</bdi>,
  );
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 pb-3">
      <Link
        to={addressOfNews(entry)}
        className={`min-w-0 pt-3 wrap-anywhere hover:underline ${entry.isNew ? 'font-semibold' : ''}`}
      >
        {sentence}{' '}
        <time dateTime={entry.at} className="text-muted tabular-nums">
          {ageOf(entry.at, now)}
        </time>
        .
      </Link>
      {entry.isNew && <Chip tone="primary">{text.new}</Chip>}
    </p>
  );
}
