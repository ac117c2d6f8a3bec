import { limits, type Suggestion } from '@rtr/shared';
import { normalizeWords } from '../words.ts';
import type { Scored } from './search-candidates.ts';

const maxAreas = 2;

/**
 * Returns the suggestions for the typed words. `rows` are the results of the search, best first. `searchedFor` contains the
 * words for which the API has searched, if it has changed the typed words.
 */
export function suggestionsFor(
  typed: readonly string[],
  rows: readonly Scored[],
  searchedFor: string | undefined,
): Suggestion[] {
  const words = searchedFor?.split(' ') ?? typed;
  const isInArea = ({ area }: Scored) =>
    normalizeWords(area).some((word) => words.some((beginning) => word.startsWith(beginning)));
  const areas = groupByText(rows.filter(isInArea), 'area').slice(0, maxAreas);
  const search = searchedFor ?? completionOf(typed, rows);
  const others: Suggestion[] = [
    ...areas.map(({ text }) => ({ kind: 'area' as const, text })),
    ...(search === undefined ? [] : [{ kind: 'search' as const, text: search }]),
  ];
  const services = groupByText(rows, 'title').slice(0, limits.suggestions - others.length);
  return [
    ...services.map(({ text, ids }) =>
      ids.length === 1
        ? { kind: 'service' as const, text, serviceId: String(ids[0]) }
        : { kind: 'search' as const, text },
    ),
    ...others,
  ];
}

/** Returns the different texts of a field, without regard to case, and the ids of the services with each text. */
function groupByText(rows: readonly Scored[], field: 'title' | 'area') {
  const groups = new Map<string, { text: string; ids: Scored['_id'][] }>();
  for (const { _id, [field]: value } of rows) {
    const text = value.trim();
    const group = groups.get(text.toLowerCase());
    if (group) group.ids.push(_id);
    else if (text !== '') groups.set(text.toLowerCase(), { text, ids: [_id] });
  }
  return [...groups.values()];
}

/** Completes the last typed word with the most frequent word of the titles that begins with it. */
function completionOf(typed: readonly string[], rows: readonly Scored[]): string | undefined {
  const last = typed.at(-1) ?? '';
  const counts = new Map<string, number>();
  for (const { title } of rows)
    for (const word of normalizeWords(title)) if (word.startsWith(last)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  return best && best[0] !== last ? [...typed.slice(0, -1), best[0]].join(' ') : undefined;
}
