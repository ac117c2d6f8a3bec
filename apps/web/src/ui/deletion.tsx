// Functions and components for deleting and restoring rows of a list. The row of a deleted item has an Undo button.
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router-dom';
import { focusIfLost } from '../lib/focus.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { Button, compactLabel } from './button.tsx';
import type { DeletionTexts, Intent, Outcome } from './delete-or-restore.ts';
import { ErrorText } from './error-text.tsx';
import { Icon } from './icon.tsx';
import { Cell, Row } from './table.tsx';

type DeletionState = 'pending' | 'deleted' | 'gone' | 'restored';

/** An item of a list. The API returns these fields with each service and review. */
interface Item {
  _id: string;
  createdAt: string;
}

export type Deletions<T extends Item = Item> = ReturnType<typeof useDeletions<T>>;

export const byNewest = (a: Item, b: Item) => b.createdAt.localeCompare(a.createdAt);

/** Leaves out the items that are listed. An item that was restored in another tab can be in both lists for a moment. */
export function withoutListed<T extends Item>(
  deleted: readonly T[] | undefined,
  list: { pages: { rows: T[] }[] } | undefined,
): T[] | undefined {
  const listedIds = new Set(list?.pages.flatMap(({ rows }) => rows.map(({ _id }) => _id)));
  return deleted?.filter(({ _id }) => !listedIds.has(_id));
}

interface Deletion<T> {
  item: T;
  state: DeletionState;
  error?: string | undefined;
}

interface DeletionsOptions<T> {
  /** Items that were deleted earlier, and that can still be restored. */
  deletedBefore?: readonly T[] | undefined;
  /** Returns additional form fields, which are sent to the action of the route with the item. */
  fieldsOf?: (item: T) => Record<string, string>;
  /** The address of the route whose action deletes and restores the items. By default, this is the current route. */
  action?: string;
}

/**
 * The state of the items that were deleted or restored on this screen, and of those that were deleted before. The row of a
 * deleted item has a button that restores the item.
 */
export function useDeletions<T extends Item>(
  texts: DeletionTexts,
  { deletedBefore = [], fieldsOf = () => ({}), action }: DeletionsOptions<T> = {},
) {
  const [changes, setChanges] = useState<ReadonlyMap<string, Deletion<T>>>(new Map());
  const deletions = new Map<string, Deletion<T>>([
    ...deletedBefore.map((item) => [item._id, { item, state: 'deleted' }] as const),
    ...changes,
  ]);
  const stateOf = ({ _id }: Item) => deletions.get(_id)?.state;
  return {
    texts,
    fieldsOf,
    action,
    stateOf,
    /** Returns true if the item was deleted or restored on this screen. */
    isChanged: ({ _id }: Item) => changes.has(_id),
    /** Returns the error text if the last attempt to delete or restore the item failed. */
    errorOf: ({ _id }: Item) => deletions.get(_id)?.error,
    setState: (item: T, state: DeletionState, error?: string) =>
      setChanges((before) => new Map(before).set(item._id, { item, state, error })),
    /** Returns the item with this id if it was deleted or restored on this screen. */
    find: (id: string | undefined) => (id === undefined ? undefined : deletions.get(id)?.item),
    /**
     * Returns the rows to show: the items of the list, and the items that were deleted on this screen. The rows are sorted
     * and filtered.
     */
    rowsOf(listed: T[], compare: (a: T, b: T) => number = byNewest, filter: (item: T) => boolean = () => true): T[] {
      const deleted = [...deletions.values()]
        .map(({ item }) => item)
        .filter(({ _id }) => listed.every((other) => other._id !== _id));
      const rows = deleted.length > 0 ? [...listed, ...deleted].toSorted(compare) : listed;
      return rows.filter((item) => stateOf(item) !== 'gone' && filter(item));
    },
    /**
     * Returns the number of items that are not deleted. `total` is the fetched number, which may include items that were
     * deleted on this screen.
     */
    countOf(total: number, listed: T[]): number {
      const shown = this.rowsOf(listed).filter((item) => stateOf(item) !== 'deleted');
      return total - listed.length + shown.length;
    },
  };
}

interface ItemProps<T extends Item> {
  item: T;
  name: string;
  deletions: Deletions<T>;
}

interface DeleteButtonProps<T extends Item> extends ItemProps<T> {
  compact?: boolean;
}

export function DeleteButton<T extends Item>({ item, name, deletions, compact = false }: DeleteButtonProps<T>) {
  const { texts } = deletions;
  const { pending, send } = useSend(item, deletions);
  const button = useRef<HTMLButtonElement>(null);
  const state = deletions.stateOf(item);
  // After a click on the button that restores the item, that button disappears. So the focus moves to the delete button in
  // the same row.
  useLayoutEffect(() => {
    if (state === 'restored') focusIfLost(button.current);
  }, [state]);
  const confirmAndDelete = () => {
    if (!confirm(texts.confirmation)) return;
    deletions.setState(item, 'pending');
    void send('delete');
  };
  return (
    <Button
      ref={button}
      tone="danger"
      size={compact ? 'compact' : 'normal'}
      pending={pending}
      aria-label={texts.deleteOf(name)}
      onClick={confirmAndDelete}
    >
      <Icon name="bin" />
      <span className={compact ? compactLabel : ''}>{texts.delete}</span>
    </Button>
  );
}

/** The row that replaces a deleted item. It has an Undo button. `columns` is the number of columns of the table. */
export function DeletedRow<T extends Item>({ columns, ...rest }: ItemProps<T> & { columns: number }) {
  return (
    <Row isCompact className="pl-4">
      <Cell colSpan={columns} className="min-w-0 flex-1 as-table:py-2">
        <DeletedNote {...rest} />
      </Cell>
    </Row>
  );
}

/** The text that replaces a deleted item, with an Undo button. */
export function DeletedNote<T extends Item>({ item, name, deletions }: ItemProps<T>) {
  const { pending, send } = useSend(item, deletions);
  const undo = useRef<HTMLButtonElement>(null);
  const undoDeletion = () => {
    // Keeps the item on the screen until the response arrives, even if a list is fetched earlier.
    deletions.setState(item, 'deleted');
    void send('restore');
  };
  const isNew = deletions.isChanged(item);
  // After a click on the delete button, the button disappears. So the focus moves to the button that restores the item.
  useLayoutEffect(() => {
    if (isNew) focusIfLost(undo.current);
  }, [isNew]);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
      {/* A long name is shortened to keep the text on one line. */}
      <p className="flex whitespace-pre text-muted max-sm:text-small [&>bdi]:truncate">
        {deletions.texts.deletedOf(name)}
      </p>
      <Button ref={undo} tone="quiet" pending={pending} onClick={undoDeletion} className="max-sm:px-3">
        {deletions.texts.restore(name)}
      </Button>
      <DeletionError item={item} deletions={deletions} />
    </div>
  );
}

/** The error of the last attempt to delete or restore the item. Unlike a toast, it does not disappear. */
export function DeletionError<T extends Item>({ item, deletions }: { item: T; deletions: Deletions<T> }) {
  const error = deletions.errorOf(item);
  if (!error) return null;
  return <ErrorText>{error}</ErrorText>;
}

/** Returns a function that submits to the action of the route, and stores the result in `deletions`. */
function useSend<T extends Item>(item: T, deletions: Deletions<T>) {
  const fetcher = useFetcher<Outcome>();
  const onOutcome = useEffectEvent((outcome: Outcome) => {
    const { intent, result } = outcome;
    if (result === 'failed') deletions.setState(item, intent === 'restore' ? 'deleted' : 'restored', outcome.message);
    else deletions.setState(item, result === 'too late' ? 'gone' : result);
  });
  useEffect(() => {
    if (fetcher.data) onOutcome(fetcher.data);
  }, [fetcher.data]);
  const [send, pending] = useSingleFlight((intent: Intent) =>
    fetcher.submit(
      { ...deletions.fieldsOf(item), intent, id: item._id },
      { method: 'post', ...(deletions.action && { action: deletions.action }) },
    ),
  );
  return { pending, send };
}
