import { limits } from './limits.ts';

const productName = 'RTR Cloud Kitchen';

/** Longer names are cut before they are matched, to limit the time. Firebase allows at most 256 characters. */
const maxInputLength = 1000;

const controlOrFormat = /(?!\s)\p{Cc}|(?![\u200c\u200d])\p{Cf}|\p{Cs}/gu;
/**
 * Zero-width joiners and non-joiners without effect: after Latin, Greek and Cyrillic letters, or without a letter before
 * them. After letters of other scripts, such as Bengali or Persian, they are part of the spelling.
 */
const strayJoiner = /(?<![\p{L}\p{M}])[\u200c\u200d]|(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])[\u200c\u200d]/gu;
/** Invisible characters. Unicode classifies some of them as letters or symbols. */
const withoutGlyph = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Removes control and format characters from a name and collapses its spaces. The result is empty if no visible character is
 * left.
 */
export function cleanName(name: string): string {
  const printable = name.slice(0, maxInputLength).replace(controlOrFormat, '').replace(strayJoiner, '');
  const clean = printable.replace(/\s+/g, ' ').trim();
  return visible.test(clean.replace(withoutGlyph, '')) ? clean : '';
}

/** Returns why a name is not allowed, or undefined if it is allowed. Expects a name that `cleanName` returned. */
export function nameProblem(name: string): 'length' | 'reserved' | undefined {
  if (name === '' || name.length > limits.nameLength) return 'length';
  return foldName(name).includes(foldName(productName)) ? 'reserved' : undefined;
}

/** Returns the name that other people see. It is empty if the name is not allowed. */
export function presentableName(name: string): string {
  const clean = cleanName(name);
  return nameProblem(clean) ? '' : clean;
}

/**
 * The first line has digits, Cyrillic and Greek characters that look like a letter of the product name. The second line has
 * that letter below each of them.
 */
const lookAlikes = '01i|гтсоԁкіӏнһеτουκιηεν';
const lookAlikeLetters = 'olllrtcodkllhhetouklhen';

/**
 * Reduces a name to its letters, without case, accents and spaces, to compare it with the product name. Characters that look
 * like a letter of the product name are replaced by it, as far as `lookAlikes` lists them.
 */
function foldName(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  const letters = Array.from(plain, (character) => lookAlikeLetters[lookAlikes.indexOf(character)] ?? character);
  return letters.join('').replace(/\P{L}/gu, '');
}
