import type * as z from 'zod/mini';
import { removeDraft, saveDraft } from '../lib/draft.ts';
import { type Failure, failureOf } from '../lib/failure.ts';
import { parseForm } from '../lib/form.ts';
import type { BrowserStorage } from '../lib/storage.ts';
import { failureText } from './failure-alert.tsx';
import { toast } from './toasts.tsx';

interface DraftSubmission<S extends z.core.$ZodType, R> {
  form: FormData;
  schema: S;
  /** The storage of the draft, and the two parts of its key. */
  draft: { storage: BrowserStorage; owner: string; subject: string };
  /**
   * Returns the draft of a new entry. It is saved before the request, with its idempotency key. If the response is lost,
   * the form can be sent again. Because of the key, the API then adds no second entry. An edit needs no key, because it can
   * be repeated safely.
   */
  draftOf?: (values: z.output<S>) => { values: Record<string, string>; idempotencyKey: string };
  send: (values: z.output<S>) => Promise<R>;
  /** All toasts of this form have this id. So each toast replaces the previous one. */
  toastId: string;
  texts: { sending: string; done: string; failed: (failure: Failure) => string };
}

/**
 * Why a form was not sent: either some fields are invalid, or the API call failed. `errors` has the error texts by field
 * name. `message` is the text to show if the call failed.
 */
export type Rejection =
  | { errors: Partial<Record<string, string>>; failure?: undefined }
  | { errors?: undefined; failure: Failure; message: string };

/** Sends a form, and removes its draft after success. Call this function in the action of a route. */
export async function submitDraft<S extends z.core.$ZodType, R>({
  form,
  schema,
  draft: { storage, owner, subject },
  draftOf,
  send,
  toastId: id,
  texts,
}: DraftSubmission<S, R>): Promise<Rejection | { result: R }> {
  const parsed = parseForm(schema, form);
  if (!parsed.ok) return { errors: parsed.errors };
  if (draftOf) saveDraft(storage, owner, subject, draftOf(parsed.values));
  try {
    const result = await toast.during(send(parsed.values), texts.sending, id);
    removeDraft(storage, owner, subject);
    toast.success(texts.done, { id });
    return { result };
  } catch (error) {
    const failure = failureOf(error);
    const message = failureText(failure, texts.failed(failure));
    toast.error(message, { id });
    return { failure, message };
  }
}
