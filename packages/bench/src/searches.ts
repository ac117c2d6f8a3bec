import { equipment, otherWords, places, tasks } from './seed-words.ts';
import { seededRandom } from './seeded-random.ts';

/**
 * Sends 200 different searches one after the other, and returns a summary of their response times. Sends 200 others first,
 * because V8 optimizes code that runs often.
 */
export async function measureSearches(api: string) {
  const [warmUp, measured] = [mixedSearches(200, 1), mixedSearches(200, 2)];
  const times: { path: string; ms: number; status: number }[] = [];
  for (const path of [...warmUp, ...measured]) {
    const startedAt = performance.now();
    const response = await fetch(`${api}${path}`);
    await response.arrayBuffer();
    times.push({ path, ms: performance.now() - startedAt, status: response.status });
  }
  const sorted = times.slice(warmUp.length).toSorted((a, b) => a.ms - b.ms);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1]?.ms ?? Number.NaN;
  const [median, p95, max] = [at(0.5), at(0.95), at(1)];
  const failures = sorted.filter(({ status }) => status !== 200).length;
  const text = `${sorted.length} searches: median ${median.toFixed(0)} ms, 95% ${p95.toFixed(0)} ms, slowest ${max.toFixed(0)} ms (${sorted.at(-1)?.path}), ${failures} failed`;
  return { p95, failures, text };
}

/** Returns the URL paths of `count` different searches for the services that `seedDatabase` creates. */
function mixedSearches(count: number, seed: number): string[] {
  const { random, pick } = seededRandom(seed);
  const number = () => String(Math.floor(10 ** (3 + 3 * random())));
  const startOf = (word: string) => word.slice(0, 1 + Math.floor(random() * (word.length - 1)));
  const mistyped = (word: string) => {
    const at = 1 + Math.floor(random() * (word.length - 1));
    const [start, end] = [word.slice(0, at), word.slice(at)];
    const withoutLetter = start + end.slice(1);
    const withWrongLetter = `${start}q${end.slice(1)}`;
    const withExtraLetter = `${start}q${end}`;
    return pick([withoutLetter, withWrongLetter, withExtraLetter]);
  };
  const kinds = [
    () => pick(equipment),
    () => `${pick(equipment)} ${pick(tasks)}`,
    () => `${pick(equipment)} ${pick(tasks)} ${pick(places)}`,
    () => `${pick(equipment)} ${pick(equipment)}`,
    () => `${pick(otherWords)} ${pick(otherWords)}`,
    () => startOf(pick([...equipment, ...tasks, ...places])),
    () => `${pick(equipment)} ${startOf(pick(tasks))}`,
    () => `${pick(equipment)} ${number()}`,
    () => `${mistyped(pick(equipment))} ${pick(tasks)}`,
    () => pick(['ac repair', 'fridge', 'exhaust fan', 'cooker hood cleaning', 'home away', 'no such thing']),
  ];
  const paths = new Set<string>();
  while (paths.size < count) {
    const sort = random() < 0.2 ? `&sort=${pick(['newest', 'title', 'price', 'rating'])}` : '';
    paths.add(`/services?q=${encodeURIComponent(pick(kinds)())}&limit=20${sort}`);
  }
  return [...paths];
}
