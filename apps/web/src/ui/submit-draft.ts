import type * as z from 'zod/mini';
import { removeDraft, saveDraft } from '../lib/draft.ts';
import { type Failure, failureOf } from '../lib/failure.ts';
import { parseForm } from '../lib/form.ts';
import type { BrowserStorage } from '../lib/storage.ts';
import { unsentText } from './failure-alert.tsx';
import { toast } from './toasts.tsx';

interface DraftSubmission<S extends z.core.$ZodType, R> {
  form: FormData;
  schema: S;
  /** The storage of the draft, and the two parts of its key. */
  draft: { storage: BrowserStorage; owner: string; subject: string };
  /**
   * Returns the draft of a new service or review. It is saved before the request, with its idempotency key. If the response
   * is lost, the customer can send the form again. Because of the key, the API then adds no second entry. An edit needs no
   * key, because it can be repeated safely.
   */
  draftOf?: (values: z.output<S>) => { values: Record<string, string>; idempotencyKey: string };
  send: (values: z.output<S>) => Promise<R>;
  /** All toasts of this form have this id. So each toast replaces the previous one. */
  toastId: string;
  texts: { sending: string; done: string; rejected: (failure: Failure) => string };
}

/**
 * Why a form was not sent: either some fields are invalid, or the API call failed. `errors` has the error texts by field
 * name. `otherwise` is the text to show if the API rejected the call.
 */
export type Rejection =
  | { errors: Partial<Record<string, string>>; failure?: undefined }
  | { errors?: undefined; failure: Failure; otherwise: string };

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
    const otherwise = texts.rejected(failure);
    toast.error(unsentText(failure, otherwise), { id });
    return { failure, otherwise };
  }
}
