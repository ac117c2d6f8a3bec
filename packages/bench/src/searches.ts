import { equipment, otherWords, places, seededRandom, tasks } from './seed-database.ts';

/** Returns the URL paths of `count` different searches for the services that `seedDatabase` creates. */
export function mixedSearches(count: number, seed: number): string[] {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const number = () => String(Math.floor(10 ** (3 + 3 * random())));
  const startOf = (word: string) => word.slice(0, 1 + Math.floor(random() * (word.length - 1)));
  const mistyped = (word: string) => {
    const at = 1 + Math.floor(random() * (word.length - 1));
    return pick([
      word.slice(0, at) + word.slice(at + 1), // a missing letter
      `${word.slice(0, at)}q${word.slice(at + 1)}`, // a wrong letter
      `${word.slice(0, at)}q${word.slice(at)}`, // one letter too many
    ]);
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
