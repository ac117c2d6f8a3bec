// Functions and components for deleting and restoring the customer's own reviews. The row of a deleted review has an Undo
// button. Every page that lists own reviews uses this module.
import type { Review, ReviewSort } from '@rtr/shared';
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { type ActionFunctionArgs, useFetcher } from 'react-router-dom';
import { type App, appIn } from '../../lib/app.ts';
import { failureOf } from '../../lib/failure.ts';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Button } from '../../ui/button.tsx';
import { failureText } from '../../ui/failure-alert.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Toolbar } from '../../ui/page.tsx';
import { Cell, Row } from '../../ui/table.tsx';
import { toast } from '../../ui/toasts.tsx';
import { deleteReview, restoreReview } from './write.ts';

const text = {
  delete: 'Delete',
  deleteOf: (service: string) => `Delete your review of ${service}`,
  sure: 'Are you sure want to delete the review',
  deleting: 'Deleting your review…',
  deleted: 'Deleted Successfully',
  alreadyDeleted: 'This review was already deleted.',
  notDeleted: 'Your review was not deleted. Try again.',
  deletedOf: (service: string) => (
    <>
      Your review of <bdi>{service}</bdi> is deleted.
    </>
  ),
  undo: 'Undo',
  restoring: 'Restoring your review…',
  restored: 'Your review is back.',
  tooLate: 'It is too late to bring this one back.',
  notRestored: 'Your review was not restored. Try again.',
};

type Intent = 'delete' | 'restore';
type Outcome = { intent: Intent } & (
  | { result: 'deleted' | 'gone' | 'restored' | 'too late' }
  | { result: 'failed'; message: string }
);

/** The action of the routes that list own reviews. It deletes or restores one review. */
export async function deleteOrRestore({ request, context }: ActionFunctionArgs): Promise<Outcome> {
  const form = await request.formData();
  const id = String(form.get('id'));
  return form.get('intent') === 'restore' ? restore(appIn(context), id) : remove(appIn(context), id);
}

async function remove(app: App, id: string): Promise<Outcome> {
  try {
    if ((await toast.during(deleteReview(app, id), text.deleting, id)) > 0) {
      toast.success(text.deleted, { id });
      return { intent: 'delete', result: 'deleted' };
    }
  } catch (error) {
    const failure = failureOf(error);
    if (failure.reason !== 'missing') {
      const message = failureText(failure, text.notDeleted);
      toast.error(message, { id });
      return { intent: 'delete', result: 'failed', message };
    }
  }
  toast.blank(text.alreadyDeleted, { id });
  return { intent: 'delete', result: 'gone' };
}

async function restore(app: App, id: string): Promise<Outcome> {
  try {
    await toast.during(restoreReview(app, id), text.restoring, id);
    toast.success(text.restored, { id });
    return { intent: 'restore', result: 'restored' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.reason === 'missing') {
      toast.error(text.tooLate, { id });
      return { intent: 'restore', result: 'too late' };
    }
    const message = failureText(failure, failure.reason === 'limit' ? failure.detail : text.notRestored);
    toast.error(message, { id });
    return { intent: 'restore', result: 'failed', message };
  }
}

type DeletionState = 'pending' | 'deleted' | 'gone' | 'restored';

const byNewest = (a: Review, b: Review) => b.createdAt.localeCompare(a.createdAt);
const comparators: Record<ReviewSort, (a: Review, b: Review) => number> = {
  newest: byNewest,
  highest: (a, b) => (countedStars(b) ?? 0) - (countedStars(a) ?? 0) || byNewest(a, b),
  lowest: (a, b) => (countedStars(a) ?? 6) - (countedStars(b) ?? 6) || byNewest(a, b),
};

/**
 * Returns the stars by which the API sorts and filters a review. If the lister reviews their own service, the stars do not
 * count, and the result is undefined.
 */
export const countedStars = ({ rating, byLister }: Review) => (byLister ? undefined : rating);

export type Deletions<R extends Review = Review> = ReturnType<typeof useDeletions<R>>;

/** The local state of the reviews that were deleted or restored on this screen. The row of a deleted review shows Undo. */
export function useDeletions<R extends Review>() {
  const [deletions, setDeletions] = useState<
    ReadonlyMap<string, { review: R; state: DeletionState; error: string | undefined }>
  >(new Map());
  const stateOf = ({ _id }: Review) => deletions.get(_id)?.state;
  return {
    stateOf,
    /** Returns the error text if the last attempt to delete or restore the review failed. */
    errorOf: ({ _id }: Review) => deletions.get(_id)?.error,
    setState: (review: R, state: DeletionState, error?: string) =>
      setDeletions((before) => new Map(before).set(review._id, { review, state, error })),
    /** Returns the review with this id if it was deleted or restored on this screen. */
    find: (id: string | undefined) => (id === undefined ? undefined : deletions.get(id)?.review),
    /**
     * Returns the reviews to show as rows: the listed reviews, and the reviews that were deleted on this screen. The rows
     * are sorted and filtered.
     */
    rowsOf(listed: R[], sort: ReviewSort = 'newest', filter: (review: R) => boolean = () => true): R[] {
      const deleted = [...deletions.values()]
        .map(({ review }) => review)
        .filter(({ _id }) => listed.every((other) => other._id !== _id));
      const rows = deleted.length > 0 ? [...listed, ...deleted].toSorted(comparators[sort]) : listed;
      return rows.filter((review) => stateOf(review) !== 'gone' && filter(review));
    },
  };
}

interface OwnReviewProps<R extends Review> {
  review: R;
  service: string;
  deletions: Deletions<R>;
}

interface DeleteButtonProps<R extends Review> extends OwnReviewProps<R> {
  compact?: boolean;
}

export function DeleteButton<R extends Review>({ review, service, deletions, compact = false }: DeleteButtonProps<R>) {
  const { pending, send } = useSend(review, deletions);
  const button = useRef<HTMLButtonElement>(null);
  const state = deletions.stateOf(review);
  // After Undo, the clicked button is removed. So the focus moves to the Delete button in the same row.
  useLayoutEffect(() => {
    if (state === 'restored') button.current?.focus();
  }, [state]);
  const confirmAndDelete = () => {
    if (!confirm(text.sure)) return;
    deletions.setState(review, 'pending');
    void send('delete');
  };
  return (
    <Button
      ref={button}
      tone="danger"
      size={compact ? 'compact' : 'normal'}
      pending={pending}
      aria-label={text.deleteOf(service)}
      onClick={confirmAndDelete}
    >
      <Icon name="bin" />
      <span className={compact ? 'sm:sr-only' : ''}>{text.delete}</span>
    </Button>
  );
}

/**
 * The row that is shown instead of a deleted review, with the Undo button. `columns` is the number of columns of the table.
 */
export function DeletedRow<R extends Review>({
  review,
  service,
  deletions,
  columns,
}: OwnReviewProps<R> & { columns: number }) {
  const { pending, send } = useSend(review, deletions);
  const undo = useRef<HTMLButtonElement>(null);
  // After a deletion, the clicked button is removed. So the focus moves to the Undo button in the same row.
  useLayoutEffect(() => undo.current?.focus(), []);
  return (
    <Row className="items-start pl-4">
      <Cell colSpan={columns} className="min-w-0 flex-1">
        <Toolbar>
          <div className="grid gap-2">
            <p className="text-muted wrap-anywhere">{text.deletedOf(service)}</p>
            <DeletionError review={review} deletions={deletions} />
          </div>
          <Button ref={undo} tone="quiet" pending={pending} onClick={() => void send('restore')}>
            {text.undo}
          </Button>
        </Toolbar>
      </Cell>
    </Row>
  );
}

/** Shows the error of the last attempt to delete or restore the review. Unlike the toast, this text does not disappear. */
export function DeletionError<R extends Review>({ review, deletions }: { review: R; deletions: Deletions<R> }) {
  const error = deletions.errorOf(review);
  if (!error) return null;
  return (
    <p className="flex gap-2 text-small text-error">
      <Icon name="alert" size={20} />
      <span>{error}</span>
    </p>
  );
}

/** Returns a function that submits to the action of the route. The result is then stored in `deletions`. */
function useSend<R extends Review>(review: R, deletions: Deletions<R>) {
  const fetcher = useFetcher<Outcome>();
  const onOutcome = useEffectEvent((outcome: Outcome) => {
    const { intent, result } = outcome;
    if (result === 'failed') deletions.setState(review, intent === 'restore' ? 'deleted' : 'restored', outcome.message);
    else deletions.setState(review, result === 'too late' ? 'gone' : result);
  });
  useEffect(() => {
    if (fetcher.data) onOutcome(fetcher.data);
  }, [fetcher.data]);
  const [send, pending] = useSingleFlight((intent: Intent) =>
    fetcher.submit({ intent, id: review._id }, { method: 'post' }),
  );
  return { pending, send };
}
