import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { Http } from '../../lib/http.ts';
import { keyOf } from '../../lib/query-client.ts';
import { useNear } from '../../lib/use-near.ts';
import { needs } from './needs.ts';
import { ServiceCard, ServiceCardPlaceholder, ServiceGrid } from './service-card.tsx';

const text = { similar: 'Similar services', newest: 'Newest services' };

const shown = 3;

interface Described {
  _id: string;
  title: string;
  description: string;
}

/**
 * A few other services: of the same need, else about the same thing that needs are about, else of the title's longest
 * word; where none finds one, the newest.
 */
export const similarServicesQuery = (http: Http, service: Described) =>
  queryOptions({
    queryKey: keyOf('GET /services', { similarTo: service._id }),
    queryFn: async ({ signal }) => {
      const limit = String(shown + 1);
      const others = async (query: { q: string; sort: 'rating' } | { sort: 'newest' }) => {
        const { data } = await http('GET /services', { query: { limit, ...query }, signal });
        return data.filter(({ _id }) => _id !== service._id).slice(0, shown);
      };
      for (const q of searchesFor(service)) {
        const services = await others({ q, sort: 'rating' });
        if (services.length > 0) return { title: text.similar, services };
      }
      return { title: text.newest, services: await others({ sort: 'newest' }) };
    },
  });

function searchesFor({ title, description }: Described): string[] {
  const need = [title, `${title} ${description}`]
    .flatMap((said) => needs.filter(({ search }) => isFoundBy(search, said)))
    .at(0)?.search;
  const thing = needs.flatMap(({ search }) => wordsIn(search).slice(0, 1)).find((word) => isFoundBy(word, title));
  const longest = wordsIn(title).toSorted((one, other) => other.length - one.length)[0];
  return [need, thing, longest].filter((q) => q !== undefined);
}

const wordsIn = (said: string) => said.toLowerCase().match(/\p{L}+/gu) ?? [];

/** As the API searches: every word asked for begins a word that is said. */
function isFoundBy(asked: string, said: string): boolean {
  const words = wordsIn(said);
  return wordsIn(asked).every((wanted) => words.some((word) => word.startsWith(wanted)));
}

/** Loads when it is scrolled near. Renders nothing if there are no services to show. */
export function SimilarServices({ query }: { query: ReturnType<typeof similarServicesQuery> }) {
  const id = useId();
  const [isNear, setIsNear] = useState(false);
  const section = useRef<HTMLElement>(null);
  useNear(section, () => setIsNear(true), { assumeNear: true });
  const { data, isError } = useQuery({ ...query, enabled: isNear });
  if (data ? data.services.length === 0 : isError) return null;
  return (
    <section ref={section} aria-labelledby={id} data-screen-only className="grid gap-6 noscript:hidden">
      <h2 id={id} className="text-section">
        {data?.title ?? text.similar}
      </h2>
      <ServiceGrid busy={!data}>
        {data?.services.map((service) => (
          <li key={service._id}>
            <ServiceCard service={service} still />
          </li>
        )) ??
          Array.from({ length: shown }, (_, box) => (
            <li key={box}>
              <ServiceCardPlaceholder />
            </li>
          ))}
      </ServiceGrid>
    </section>
  );
}
