/**
 * Returns the words of a text. A word is a sequence of letters and digits. The words are normalized for searches: without
 * case, accents and compatibility forms ('ﬁ' becomes 'fi'). The conversion to upper case and back turns both 'ß' and 'ẞ'
 * into 'ss'.
 */
export function normalizeWords(text: string): string[] {
  const normalized = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ');
  return [...new Set(normalized.match(/[\p{L}\p{N}]+/gu))];
}

/** Returns the first number in a text, or Infinity if there is none. Commas separate thousands: 'from $1,200' is 1200. */
export function firstNumber(text: string): number {
  const [number] = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?/.exec(text) ?? [];
  return number === undefined ? Infinity : Number(number.replaceAll(',', ''));
}
