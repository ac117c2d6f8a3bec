/**
 * Searches that the app offers as links, with the texts of the links. The searches are in the singular, because a search in
 * the singular also finds the plural.
 */
export const predefinedSearches = [
  { name: 'Hood installation', search: 'hood installation' },
  { name: 'Hood repair', search: 'hood repair' },
  { name: 'Duct cleaning', search: 'duct cleaning' },
  { name: 'Air conditioning', search: 'air conditioning' },
  { name: 'Cold rooms', search: 'cold room' },
  { name: 'Gas safety', search: 'gas safety' },
] as const;
