import { Collection } from 'mongodb';
import { vi } from 'vitest';

/**
 * Simulates a concurrent request. `change` runs just before the next call of this method by the API, after the API has read
 * the document. `undo` runs just after this call. Call `vi.restoreAllMocks` after each test.
 */
export function beforeNext(
  method: 'insertOne' | 'updateOne' | 'findOneAndUpdate',
  change: () => Promise<unknown>,
  undo?: () => Promise<unknown>,
): void {
  const original = Collection.prototype[method] as (...args: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(Collection.prototype as Record<typeof method, typeof original>, method);
  spy.mockImplementationOnce(async function call(this: Collection, ...args) {
    await change();
    const result = await original.apply(this, args);
    await undo?.();
    return result;
  });
}
