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
  /** The storage of the draft, and its key. */
  draft: { storage: BrowserStorage; owner: string; subject: string };
  /**
   * Returns the draft of a new entry. It is saved with its idempotency key before the request: if the response is lost,
   * sending the form again repeats the request and adds no second entry. An edit can be repeated without a key.
   */
  draftOf?: (values: z.output<S>) => { values: Record<string, string>; idempotencyKey: string };
  send: (values: z.output<S>) => Promise<R>;
  /** The id of the toasts of this form. They replace each other. */
  toastId: string;
  texts: { sending: string; done: string; rejected: (failure: Failure) => string };
}

/** Why a form was not sent: errors by field name, or a failed call with the text for a call that the API rejected. */
export type Rejection =
  | { errors: Partial<Record<string, string>>; failure?: undefined }
  | { errors?: undefined; failure: Failure; otherwise: string };

/** Sends a form. Call it in the action of the form's route. Removes the draft only after success. */
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
