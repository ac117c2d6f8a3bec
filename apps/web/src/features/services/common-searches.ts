/**
 * Searches that the app offers as links, with the texts of the links. They are in the singular, which also finds the plural.
 */
export const commonSearches = [
  { name: 'Hood installation', search: 'hood installation' },
  { name: 'Hood repair', search: 'hood repair' },
  { name: 'Duct cleaning', search: 'duct cleaning' },
  { name: 'Air conditioning', search: 'air conditioning' },
  { name: 'Cold rooms', search: 'cold room' },
  { name: 'Gas safety', search: 'gas safety' },
] as const;
