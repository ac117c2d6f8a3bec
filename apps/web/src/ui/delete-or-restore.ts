import type { ReactNode } from 'react';
import { canRetry, type Failure, failureOf } from '../lib/failure.ts';
import { failureText } from './failure-alert.tsx';
import { toast } from './toasts.tsx';

const text = { tooLate: 'It is too late to bring this one back.' };

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
  /** The label of the button that restores an item. */
  restore: (name: string) => ReactNode;
  restoring: string;
  restored: string;
  notRestored: string;
}

interface DeletionCalls {
  /** Rejects with 404 if the item was already deleted. */
  remove: (id: string) => Promise<void>;
  restore: (id: string) => Promise<void>;
}

export type Intent = 'delete' | 'restore';
export type Outcome = { intent: Intent } & (
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
    const message = messageOf(failure, texts.notDeleted);
    if (message) toast.error(message, { id });
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
    const message = messageOf(failure, texts.notRestored);
    if (message) toast.error(message, { id });
    return { intent: 'restore', result: 'failed', message };
  }
}

/** Returns the text for a failure. It is empty if the session has ended, because the notice of the layout says so. */
function messageOf(failure: Failure, retryText: string): string {
  return failure.reason === 'session' ? '' : failureText(failure, canRetry(failure) ? retryText : failure.detail);
}
