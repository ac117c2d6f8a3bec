import type { ShouldRevalidateFunctionArgs } from 'react-router-dom';
import type * as z from 'zod/mini';
import { removeDraft, saveDraft } from '../lib/draft.ts';
import { type Failure, failureOf } from '../lib/failure.ts';
import { parseForm } from '../lib/form.ts';
import type { BrowserStorage } from '../lib/storage.ts';
import type { Versioned } from '../lib/version.ts';
import { failureText } from './failure-alert.tsx';
import { toast } from './toasts.tsx';

interface DraftSubmission<S extends z.core.$ZodType, R, T> {
  form: FormData;
  schema: S;
  /** The storage of the draft, and the two parts of its key. */
  draft: { storage: BrowserStorage; owner: string; subject: string };
  /**
   * Returns the draft, which is saved before the request. If the response is lost, the form can be sent again. Because of
   * the idempotency key, the API then adds no second entry. An edit can be repeated safely without a key. But another tab may
   * have saved the same form, which removes the draft that the tabs share.
   */
  draftOf: (values: z.output<S>) => { values: Record<string, string>; idempotencyKey: string };
  send: (values: z.output<S>) => Promise<R>;
  /** Reads the row again if the API rejects an edit because another edit was saved first. */
  readCurrent?: () => Promise<Versioned<T>>;
  /** All toasts of this form have this id. So each toast replaces the previous one. */
  toastId: string;
  texts: { sending: string; done: string; failed: (failure: Failure) => string };
}

/** Another edit of the same row was saved first. `sent` is the edit of this form, which was not saved. */
interface Conflict<V, T> {
  current: Versioned<T>;
  sent: V;
}

/**
 * Why a form was not sent: either some fields are invalid, or the API call failed. `errors` has the error texts by field
 * name. `message` is the text to show if the call failed.
 */
export type Rejection<V = unknown, T = unknown> =
  | { errors: Partial<Record<string, string>>; failure?: undefined; conflict?: undefined }
  | { errors?: undefined; failure: Failure; message: string; conflict: Conflict<V, T> | undefined };

/** Sends a form, and removes its draft after success. Call this function in the action of a route. */
export async function submitDraft<S extends z.core.$ZodType, R, T = never>({
  form,
  schema,
  draft: { storage, owner, subject },
  draftOf,
  send,
  readCurrent,
  toastId: id,
  texts,
}: DraftSubmission<S, R, T>): Promise<Rejection<z.output<S>, T> | { result: R }> {
  const parsed = parseForm(schema, form);
  if (!parsed.ok) return { errors: parsed.errors };
  saveDraft(storage, owner, subject, draftOf(parsed.values));
  try {
    const result = await toast.during(send(parsed.values), texts.sending, id);
    removeDraft(storage, owner, subject);
    toast.success(texts.done, { id });
    return { result };
  } catch (error) {
    let failure = failureOf(error);
    let conflict: Conflict<z.output<S>, T> | undefined;
    if (failure.reason === 'outdated' && readCurrent) {
      try {
        conflict = { current: await readCurrent(), sent: parsed.values };
      } catch (error) {
        failure = failureOf(error);
      }
    }
    const message = failureText(failure, texts.failed(failure));
    toast.error(message, { id });
    return { failure, message, conflict };
  }
}

/**
 * Keeps the data of a form after it was sent, except after a conflict, which needs the current row. If the loader ran again
 * and failed, the error page would replace the form and the text in it.
 */
export function revalidatesAfterConflict({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const outcome = actionResult as Rejection | { result: unknown } | undefined;
  const isKept = outcome !== undefined && !('conflict' in outcome && outcome.conflict);
  return !isKept && defaultShouldRevalidate;
}
