import type { BrowserStorage } from './storage.ts';

const prefix = 'rtr-draft:';

/** The content of a form that was not sent yet. The browser stores it. */
export interface Draft {
  /** The values that the customer has typed, by field name. */
  values: Record<string, string>;
  /** The idempotency key of the form. If the form is sent twice with the same key, the API saves it only once. */
  idempotencyKey: string;
  /** The time of the last change of the draft, in milliseconds since 1970. */
  at: number;
}

/**
 * Reads the draft of a form. `owner` is the uid of the customer. `subject` identifies the form, such as 'profile'. Returns
 * null if there is none.
 */
export function readDraft(storage: BrowserStorage, owner: string, subject: string): Draft | null {
  try {
    const draft = JSON.parse(storage.get(keyOf(owner, subject)) ?? 'null') as Partial<Draft> | null;
    if (!draft?.values || typeof draft.values !== 'object' || !draft.idempotencyKey || !draft.at) return null;
    return { values: draft.values, idempotencyKey: draft.idempotencyKey, at: draft.at };
  } catch {
    return null;
  }
}

/** Returns false if the browser could not store the draft. */
export function saveDraft(storage: BrowserStorage, owner: string, subject: string, draft: Omit<Draft, 'at'>): boolean {
  return storage.set(keyOf(owner, subject), JSON.stringify({ ...draft, at: Date.now() }));
}

export function removeDraft(storage: BrowserStorage, owner: string, subject: string): void {
  storage.remove(keyOf(owner, subject));
}

export function hasDrafts(storage: BrowserStorage, owner: string): boolean {
  return keysOf(storage, owner).length > 0;
}

export function removeDraftsOf(storage: BrowserStorage, owner: string): void {
  for (const key of keysOf(storage, owner)) storage.remove(key);
}

function keysOf(storage: BrowserStorage, owner: string): string[] {
  return storage.keys().filter((key) => key.startsWith(keyOf(owner, '')));
}

function keyOf(owner: string, subject: string): string {
  return `${prefix}${owner}:${subject}`;
}

/**
 * Creates a random idempotency key of 128 bits. `crypto.randomUUID` cannot be used, because browsers offer it only on https
 * and on localhost.
 */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
