/**
 * Words as they are compared: runs of letters and digits, without case, accents or compatibility forms ('ﬁ' is 'fi').
 * By way of the upper case 'ß' is 'ss', whichever case it had.
 */
export function foldedWords(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ');
  return [...new Set(folded.match(/[\p{L}\p{N}]+/gu))];
}

/** The first number in a text, with commas for thousands: 'from $1,200' is 1200. Infinity when there is none. */
export function firstNumber(text: string): number {
  const [number] = /(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?/.exec(text) ?? [];
  return number === undefined ? Infinity : Number(number.replaceAll(',', ''));
}
