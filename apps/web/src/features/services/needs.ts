/** The needs a kitchen has. Each is also a search. */
export const needs = [
  'Hood installation',
  'Hood repair',
  'Duct cleaning',
  'Air conditioning',
  'Cold rooms',
  'Gas safety',
] as const;
