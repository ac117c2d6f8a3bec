import type { Reply } from '@rtr/shared';
import { useId } from 'react';
import { ageOf } from '../../lib/age.ts';
import { dayOf } from '../../lib/date.ts';
import { useNow } from '../../lib/now.tsx';
import { Chip } from '../../ui/chip.tsx';
import { CollapsibleText } from '../../ui/collapsible-text.tsx';
import { reviewText } from './texts.ts';

const text = {
  from: 'Reply from',
  lister: 'Lister',
  to: (review: string) => `the reply to ${review}`,
};

interface ReviewReplyProps {
  reply: Reply;
  /** The name of the review for screen readers, such as 'your review of Hood repair'. */
  review: string;
}

/** The reply of the lister, indented below the text of the review. */
export function ReviewReply({ reply, review }: ReviewReplyProps) {
  const id = useId();
  const now = useNow();
  return (
    <div
      role="group"
      aria-labelledby={id}
      className="mt-4 ml-2 grid gap-2 rounded-r-control border-l-4 border-primary bg-sunken p-4 sm:ml-6"
    >
      <p id={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="font-semibold wrap-anywhere">
          {text.from} <bdi>{reply.name}</bdi>
        </span>
        <Chip tone="ink">{text.lister}</Chip>
      </p>
      <p className="text-small text-muted tabular-nums">
        <time dateTime={reply.createdAt}>{dayOf(reply.createdAt)}</time>
        {` · ${ageOf(reply.createdAt, now)}`}
        {reply.updatedAt !== reply.createdAt && ` · ${reviewText.edited}`}
      </p>
      <CollapsibleText content={reply.text} name={text.to(review)} />
    </div>
  );
}
