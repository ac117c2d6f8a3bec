import { queryOptions, useQuery } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { Http } from '../../lib/http.ts';
import { useHttp } from '../../lib/http-context.ts';
import { keyOf } from '../../lib/query-client.ts';
import { useNearViewport } from '../../lib/use-near-viewport.ts';
import { predefinedSearches } from './predefined-searches.ts';
import { PlaceholderItems, ServiceCard, ServiceGrid, ServiceGridItem } from './service-card.tsx';
import { serviceText } from './texts.ts';

const text = { similar: 'Similar services' };

const maxCount = 3;

interface Described {
  _id: string;
  title: string;
  description: string;
}

/**
 * The query of up to three other services. It tries these searches until one finds services: (1) a predefined search that
 * matches this service, (2) the first word of a predefined search, if the title contains this word, (3) the longest word of
 * the title. If no search finds services, it returns the newest services.
 */
const similarServicesQuery = (http: Http, service: Described) =>
  queryOptions({
    queryKey: keyOf('GET /services', { similarTo: service._id }),
    queryFn: async ({ signal }) => {
      const limit = String(maxCount + 1);
      const others = async (query: { q: string; sort: 'rating' } | { sort: 'newest' }) => {
        const { data } = await http('GET /services', { query: { limit, ...query }, signal });
        return data.filter(({ _id }) => _id !== service._id).slice(0, maxCount);
      };
      for (const q of searchesFor(service)) {
        const services = await others({ q, sort: 'rating' });
        if (services.length > 0) return { title: text.similar, services };
      }
      return { title: serviceText.newest, services: await others({ sort: 'newest' }) };
    },
  });

function searchesFor({ title, description }: Described): string[] {
  const predefined = [title, `${title} ${description}`]
    .flatMap((searched) => predefinedSearches.filter(({ search }) => isFoundBy(search, searched)))
    .at(0)?.search;
  const subject = predefinedSearches
    .flatMap(({ search }) => wordsIn(search).slice(0, 1))
    .find((word) => isFoundBy(word, title));
  const longest = wordsIn(title).toSorted((one, other) => other.length - one.length)[0];
  return [predefined, subject, longest].filter((q) => q !== undefined);
}

const wordsIn = (phrase: string) => phrase.toLowerCase().match(/\p{L}+/gu) ?? [];

/**
 * Returns true if every word of the search is the start of a word in the text. The search of the API also finds such a
 * text.
 */
function isFoundBy(search: string, searched: string): boolean {
  const words = wordsIn(searched);
  return wordsIn(search).every((start) => words.some((word) => word.startsWith(start)));
}

/**
 * Shows similar services, or nothing if there are none. The services are loaded when the section comes near the visible part
 * of the page.
 */
export function SimilarServices({ service }: { service: Described }) {
  const id = useId();
  const [isNear, setIsNear] = useState(false);
  const section = useRef<HTMLElement>(null);
  useNearViewport(section, () => setIsNear(true), { assumeNear: true });
  const { data, isError } = useQuery({ ...similarServicesQuery(useHttp(), service), enabled: isNear });
  if (data ? data.services.length === 0 : isError) return null;
  return (
    <section ref={section} aria-labelledby={id} data-screen-only className="grid gap-6 noscript:hidden">
      <h2 id={id} className="text-section">
        {data?.title ?? text.similar}
      </h2>
      <ServiceGrid busy={!data}>
        {data?.services.map((service) => (
          <ServiceGridItem key={service._id}>
            <ServiceCard service={service} hasTransition={false} />
          </ServiceGridItem>
        )) ?? <PlaceholderItems count={maxCount} />}
      </ServiceGrid>
    </section>
  );
}
