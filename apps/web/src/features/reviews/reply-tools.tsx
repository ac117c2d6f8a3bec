import type { Review } from '@rtr/shared';
import { focusHeadingOnRemoval } from '../../lib/focus.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { DeleteButton, DeletedNote, DeletionError, type Deletions } from '../../ui/deletion.tsx';
import { Icon } from '../../ui/icon.tsx';

const text = {
  reply: 'Reply',
  replyTo: (review: string) => `Reply to ${review}`,
  edit: 'Edit',
  editOf: (review: string) => `Edit reply to ${review}`,
};

interface ReplyToolsProps {
  review: Review;
  /** The name of the review for screen readers. */
  name: string;
  deletions: Deletions<Review>;
}

/** The buttons with which the lister adds, edits and deletes the reply to a review. */
export function ReplyTools({ review, name, deletions }: ReplyToolsProps) {
  const own = { item: deletions.find(review._id) ?? review, name, deletions };
  if (deletions.stateOf(review) === 'deleted') return <DeletedNote {...own} />;
  return (
    <div className="grid gap-2">
      <div ref={focusHeadingOnRemoval} className="flex flex-wrap gap-3">
        <ButtonLink
          tone="quiet"
          to={`/reply/${review._id}`}
          aria-label={review.reply ? text.editOf(name) : text.replyTo(name)}
        >
          <Icon name={review.reply ? 'pencil' : 'reply'} />
          {review.reply ? text.edit : text.reply}
        </ButtonLink>
        {review.reply && <DeleteButton {...own} item={review} />}
      </div>
      <DeletionError item={review} deletions={deletions} />
    </div>
  );
}
