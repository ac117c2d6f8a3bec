import { storage } from './storage.ts';

const prefix = 'rtr-draft:';

/** Something being written, kept on this device until it is sent. */
export interface Draft {
  /** What is typed, by field name. */
  values: Record<string, string>;
  /** Sent with it, so that one writing is saved once however often it is sent. */
  idempotencyKey: string;
  /** When it was last typed in, in milliseconds since 1970. */
  at: number;
}

/** The draft of `owner` about `subject`, if one is kept. */
export function readDraft(owner: string, subject: string): Draft | null {
  try {
    const kept = JSON.parse(storage.get(keyOf(owner, subject)) ?? 'null') as Partial<Draft> | null;
    if (!kept?.values || typeof kept.values !== 'object' || !kept.idempotencyKey || !kept.at) return null;
    return { values: kept.values, idempotencyKey: kept.idempotencyKey, at: kept.at };
  } catch {
    return null;
  }
}

/** Whether it is kept now: a browser may keep nothing. */
export function keepDraft(owner: string, subject: string, draft: Omit<Draft, 'at'>): boolean {
  return storage.set(keyOf(owner, subject), JSON.stringify({ ...draft, at: Date.now() }));
}

export function dropDraft(owner: string, subject: string): void {
  storage.remove(keyOf(owner, subject));
}

export function hasDrafts(owner: string): boolean {
  return keysOf(owner).length > 0;
}

/** Drops all that `owner` was writing. */
export function dropDraftsOf(owner: string): void {
  for (const key of keysOf(owner)) storage.remove(key);
}

function keysOf(owner: string): string[] {
  return storage.keys().filter((key) => key.startsWith(keyOf(owner, '')));
}

function keyOf(owner: string, subject: string): string {
  return `${prefix}${owner}:${subject}`;
}

/** A new idempotency key: 128 random bits. `crypto.randomUUID` would need https. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
