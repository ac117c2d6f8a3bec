import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { useHttp } from '../../lib/http-context.ts';
import { useDebounced } from '../../lib/use-debounced.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { suggestionsQuery } from './queries.ts';
import { serviceText } from './texts.ts';

/** The delay before suggestions are requested, so that fast typing causes only one request. */
const debounceMs = 150;

type ServiceSearchFieldProps = Pick<ComponentProps<typeof SearchField>, 'value' | 'keep' | 'className'>;

/** A search field that suggests titles of services. */
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
      suggestions={typed === '' ? [] : data}
      onType={(text) => setTyped(text.trim())}
    />
  );
}
