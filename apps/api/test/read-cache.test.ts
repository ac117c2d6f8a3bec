import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createReadCache } from '../src/read-cache.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Creates a cache of texts. `load` starts a computation, and adds its promise to `computations`. The computation ends
 * when the test resolves this promise.
 */
function createTextCache(options: { maxSize?: number } = {}) {
  const cache = createReadCache<string>({ ttlMs: 1000, sizeOf: (text) => text.length, ...options });
  const computations: PromiseWithResolvers<string>[] = [];
  const load = (key = 'key') =>
    cache.load(key, () => {
      const computation = Promise.withResolvers<string>();
      computations.push(computation);
      return computation.promise;
    });
  return { cache, computations, load };
}

it('a read cache runs one computation for all concurrent calls, and keeps its value for one second', async () => {
  const { cache, computations, load } = createTextCache();
  const calls = Array.from({ length: 100 }, () => load());
  computations[0]?.resolve('value');
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['value']));
  expect(computations).toHaveLength(1);
  vi.advanceTimersByTime(999);
  expect(cache.get('key')).toBe('value');
  vi.advanceTimersByTime(1);
  expect(cache.get('key')).toBeUndefined();
});

it('a read cache does not store the value of a computation that was running when the cache was cleared', async () => {
  const { cache, computations, load } = createTextCache();
  const before = load();
  cache.clear();
  const after = load();
  expect(computations).toHaveLength(2);
  computations[1]?.resolve('new');
  computations[0]?.resolve('old');
  expect([await before, await after]).toEqual(['old', 'new']);
  expect(cache.get('key')).toBe('new');
});

it('a read cache does not store an error, so the next call starts a new computation', async () => {
  const { cache, computations, load } = createTextCache();
  const calls = [load(), load()];
  computations[0]?.reject(new Error('broke'));
  for (const call of calls) await expect(call).rejects.toThrow('broke');
  expect(cache.get('key')).toBeUndefined();
  const next = load();
  computations[1]?.resolve('value');
  expect(await next).toBe('value');
});

it('a read cache measures the age of a value from the start of its computation', async () => {
  const { cache, computations, load } = createTextCache();
  const call = load();
  vi.advanceTimersByTime(600);
  computations[0]?.resolve('value');
  await call;
  vi.advanceTimersByTime(399);
  expect(cache.get('key')).toBe('value');
  vi.advanceTimersByTime(1);
  expect(cache.get('key')).toBeUndefined();
});

it('a read cache starts another computation when the running one is older than one second', async () => {
  const { cache, computations, load } = createTextCache();
  const slow = load();
  vi.advanceTimersByTime(1000);
  const fast = load();
  expect(computations).toHaveLength(2);
  computations[1]?.resolve('new');
  await fast;
  computations[0]?.resolve('old');
  expect(await slow).toBe('old');
  expect(cache.get('key')).toBe('new');
});

it('a read cache removes its oldest values when their total size exceeds the limit', async () => {
  const { cache, computations, load } = createTextCache({ maxSize: 10 });
  const add = async (key: string, text: string) => {
    const call = load(key);
    computations.at(-1)?.resolve(text);
    await call;
  };
  await add('a', '1234');
  await add('b', '1234');
  await add('a', '12345');
  expect(cache.size()).toBe(9);
  await add('c', '12');
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['12345', undefined, '12']);
  await add('d', '12345678901');
  expect([cache.get('d'), cache.size()]).toEqual([undefined, 0]);
});
