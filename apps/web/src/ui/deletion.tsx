// Functions and components for deleting and restoring rows of a list. The row of a deleted item has an Undo button.
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router-dom';
import { canRetry, failureOf } from '../lib/failure.ts';
import { focusIfLost } from '../lib/focus.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { Button, compactLabel } from './button.tsx';
import { ErrorText } from './error-text.tsx';
import { failureText } from './failure-alert.tsx';
import { Icon } from './icon.tsx';
import { Cell, Row } from './table.tsx';
import { toast } from './toasts.tsx';

const text = { undo: 'Undo', tooLate: 'It is too late to bring this one back.' };

/**
 * The texts for deleting and restoring the items of a list. The parameter `name` is the name of the item, such as the
 * title of a service.
 */
export interface DeletionTexts {
  delete: string;
  /** The accessible name of the delete button. */
  deleteOf: (name: string) => string;
  confirmation: string;
  deleting: string;
  deleted: string;
  alreadyDeleted: string;
  notDeleted: string;
  /** The name of the item must be in a `<bdi>`, because its text direction may differ. */
  deletedOf: (name: string) => ReactNode;
  restoring: string;
  restored: string;
  notRestored: string;
}

interface DeletionCalls {
  /** Rejects with 404 if the item was already deleted. */
  remove: (id: string) => Promise<void>;
  restore: (id: string) => Promise<void>;
}

type Intent = 'delete' | 'restore';
type Outcome = { intent: Intent } & (
  | { result: 'deleted' | 'gone' | 'restored' | 'too late' }
  | { result: 'failed'; message: string }
);

/** Deletes or restores one item of a list. The action of the list's route calls this function with the submitted form. */
export async function deleteOrRestore(form: FormData, calls: DeletionCalls, texts: DeletionTexts): Promise<Outcome> {
  const id = String(form.get('id'));
  return form.get('intent') === 'restore' ? restore(calls, texts, id) : remove(calls, texts, id);
}

async function remove(calls: DeletionCalls, texts: DeletionTexts, id: string): Promise<Outcome> {
  try {
    await toast.during(calls.remove(id), texts.deleting, id);
    toast.success(texts.deleted, { id });
    return { intent: 'delete', result: 'deleted' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.reason === 'missing') {
      toast.blank(texts.alreadyDeleted, { id });
      return { intent: 'delete', result: 'gone' };
    }
    const message = failureText(failure, canRetry(failure) ? texts.notDeleted : failure.detail);
    toast.error(message, { id });
    return { intent: 'delete', result: 'failed', message };
  }
}

async function restore(calls: DeletionCalls, texts: DeletionTexts, id: string): Promise<Outcome> {
  try {
    await toast.during(calls.restore(id), texts.restoring, id);
    toast.success(texts.restored, { id });
    return { intent: 'restore', result: 'restored' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.reason === 'missing') {
      toast.error(text.tooLate, { id });
      return { intent: 'restore', result: 'too late' };
    }
    const message = failureText(failure, canRetry(failure) ? texts.notRestored : failure.detail);
    toast.error(message, { id });
    return { intent: 'restore', result: 'failed', message };
  }
}

type DeletionState = 'pending' | 'deleted' | 'gone' | 'restored';

/** An item of a list. The API returns these fields with each service and review. */
interface Item {
  _id: string;
  createdAt: string;
}

export type Deletions<T extends Item = Item> = ReturnType<typeof useDeletions<T>>;

export const byNewest = (a: Item, b: Item) => b.createdAt.localeCompare(a.createdAt);

/**
 * The state of the items that were deleted or restored on this screen. The row of a deleted item has an Undo button.
 * `fieldsOf` returns additional form fields. They are sent to the action of the route when the item is deleted or restored.
 */
export function useDeletions<T extends Item>(
  texts: DeletionTexts,
  fieldsOf: (item: T) => Record<string, string> = () => ({}),
) {
  const [deletions, setDeletions] = useState<
    ReadonlyMap<string, { item: T; state: DeletionState; error: string | undefined }>
  >(new Map());
  const stateOf = ({ _id }: Item) => deletions.get(_id)?.state;
  return {
    texts,
    fieldsOf,
    stateOf,
    /** Returns the error text if the last attempt to delete or restore the item failed. */
    errorOf: ({ _id }: Item) => deletions.get(_id)?.error,
    setState: (item: T, state: DeletionState, error?: string) =>
      setDeletions((before) => new Map(before).set(item._id, { item, state, error })),
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
  // After a click on the Undo button, the button disappears. So the focus moves to the delete button in the same row.
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
      <Cell colSpan={columns} className="min-w-0 flex-1 sm:py-2">
        <DeletedNote {...rest} />
      </Cell>
    </Row>
  );
}

/** The text that replaces a deleted item, with an Undo button. */
export function DeletedNote<T extends Item>({ item, name, deletions }: ItemProps<T>) {
  const { pending, send } = useSend(item, deletions);
  const undo = useRef<HTMLButtonElement>(null);
  // After a click on the delete button, the button disappears. So the focus moves to the Undo button in the same row.
  useLayoutEffect(() => focusIfLost(undo.current), []);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4">
      {/* A long name is shortened to keep the text on one line. */}
      <p className="flex whitespace-pre text-muted max-sm:text-small [&>bdi]:truncate">
        {deletions.texts.deletedOf(name)}
      </p>
      <Button ref={undo} tone="quiet" pending={pending} onClick={() => void send('restore')} className="max-sm:px-3">
        {text.undo}
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
    fetcher.submit({ ...deletions.fieldsOf(item), intent, id: item._id }, { method: 'post' }),
  );
  return { pending, send };
}
