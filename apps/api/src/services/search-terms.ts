/**
 * Returns the words of a text in the form in which searches compare them: sequences of letters and digits, without case,
 * accents and compatibility forms ('ﬁ' becomes 'fi'). The conversion to upper case turns both 'ß' and 'ẞ' into 'ss'.
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

/** Returns the first number in a text, where commas separate thousands: 'from $1,200' is 1200. Infinity if there is none. */
export function firstNumber(text: string): number {
  const [number] = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?/.exec(text) ?? [];
  return number === undefined ? Infinity : Number(number.replaceAll(',', ''));
}
