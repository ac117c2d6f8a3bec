import type { Suggestion } from '@rtr/shared';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { useHttp } from '../../lib/http-context.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { type FieldSuggestion, SearchField } from '../../ui/search-field.tsx';
import { suggestionsQuery } from './queries.ts';
import { serviceText } from './texts.ts';

/** The delay before suggestions are requested, so that fast typing causes only one request. */
const debounceMs = 150;

type ServiceSearchFieldProps = Pick<ComponentProps<typeof SearchField>, 'value' | 'keep' | 'className'>;

const hints = { service: 'Service', area: 'Area', search: '' };

function toFieldSuggestion({ kind, text, serviceId }: Suggestion): FieldSuggestion {
  const to =
    kind === 'service'
      ? `/services/${serviceId}`
      : kind === 'area'
        ? `/services?${new URLSearchParams({ area: text })}`
        : undefined;
  return { text, hint: hints[kind], ...(to !== undefined && { to }) };
}

/** A search field that suggests services, areas and searches. */
export function ServiceSearchField(props: ServiceSearchFieldProps) {
  const [typed, setTyped] = useState('');
  const q = useDebounced(typed, debounceMs);
  const query = suggestionsQuery(useHttp(), q);
  const { data = [] } = useQuery({ ...query, enabled: q !== '', placeholderData: keepPreviousData });
  return (
    <SearchField
      {...props}
      label={serviceText.search}
      action="/services"
      suggestions={typed === '' ? [] : data.map(toFieldSuggestion)}
      onType={(text) => setTyped(text.trim())}
    />
  );
}
