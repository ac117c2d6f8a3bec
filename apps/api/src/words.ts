import { limits } from '@rtr/shared';

/**
 * Returns the words of a text. A word is a sequence of letters and digits. Words are normalized for searches: without case,
 * accents and compatibility forms ('ﬁ' becomes 'fi'). Vowel signs of Indian scripts are kept, because they are letters
 * rather than accents. Converting to lower, upper and lower case turns both 'ß' and 'ẞ' into 'ss'. A word is cut to the
 * maximum length of a search text.
 */
export function normalizeWords(text: string): string[] {
  const normalized = text
    .normalize('NFKD')
    .replaceAll(/\p{Script=Inherited}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ');
  return [...new Set(normalized.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)?.map(cut))];
}

const cut = (word: string) =>
  word.length <= limits.searchLength ? word : Array.from(word).slice(0, limits.searchLength).join('');
