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
  /** The storage that contains the draft. `owner` and `subject` identify the draft. */
  draft: { storage: BrowserStorage; owner: string; subject: string };
  /**
   * Returns the draft to save before the request. If the response is lost, the customer can send the form again from this
   * draft. The idempotency key then prevents a second entry. An edit needs no key, because repeating an edit is safe.
   */
  draftOf: (values: z.output<S>) => { values: Record<string, string>; idempotencyKey: string };
  send: (values: z.output<S>) => Promise<R>;
  /** Reads the service or review again if the API rejects an edit because another edit was saved first. */
  readCurrent?: () => Promise<Versioned<T>>;
  /** All toasts of this form have this id, so that each toast replaces the previous one. */
  toastId: string;
  texts: { sending: string; done: string; failed: (failure: Failure) => string };
  /** Returns a link for the toast after success. */
  linkTo?: (result: R) => { label: string; path: string };
}

/**
 * The result if another edit of the same service or review was saved first. `sent` is the edit of this form, which was not
 * saved.
 */
interface Conflict<V, T> {
  current: Versioned<T>;
  sent: V;
}

/**
 * Why a form was not sent: some fields are invalid, or the API call failed. `errors` contains the error texts by field name.
 * `message` is the text about the failed call.
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
  linkTo,
}: DraftSubmission<S, R, T>): Promise<Rejection<z.output<S>, T> | { result: R }> {
  const parsed = parseForm(schema, form);
  if (!parsed.ok) return { errors: parsed.errors };
  saveDraft(storage, owner, subject, draftOf(parsed.values));
  try {
    const result = await toast.during(send(parsed.values), texts.sending, id);
    removeDraft(storage, owner, subject);
    toast.success(texts.done, { id, ...(linkTo && { action: linkTo(result) }) });
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
    // If the session has ended, the notice of the layout says so.
    if (failure.reason === 'session') return { errors: {} };
    const message = failureText(failure, texts.failed(failure));
    if (!conflict) toast.error(message, { id });
    return { failure, message, conflict };
  }
}

/**
 * Prevents the loader from running again after the form was sent. If the loader failed, the error page would replace the
 * form and its text. After a conflict, the loader runs again, because the form needs the current service or review.
 */
export function revalidatesAfterConflict({
  actionResult,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  const outcome = actionResult as Rejection | { result: unknown } | undefined;
  const isKept = outcome !== undefined && !('conflict' in outcome && outcome.conflict);
  return !isKept && defaultShouldRevalidate;
}
