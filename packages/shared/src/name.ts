import { limits } from './limits.ts';

export const productName = 'RTR Cloud Kitchen';

/**
 * A longer name is cut to this length before the patterns below are applied, to limit their run time. Firebase allows at
 * most 256 characters.
 */
const maxInputLength = 1000;

const controlOrFormat = /(?!\s)\p{Cc}|(?![\u200c\u200d])\p{Cf}|\p{Cs}/gu;
/**
 * Zero-width joiners that are not needed. In some scripts, such as Bengali or Persian, they are part of the spelling, but not
 * after a Latin, Greek or Cyrillic letter. Between two emoji, such as a woman and a pan, a joiner makes one emoji of them.
 */
const strayJoiner =
  /(?<![\p{L}\p{M}])(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d\p{Extended_Pictographic})[\u200c\u200d]|(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])[\u200c\u200d]/gu;
/** Invisible characters. Unicode classifies some of them as letters or symbols. */
const withoutGlyph = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Returns true if the text has a visible character, such as a letter or an emoji. */
export const isVisible = (text: string): boolean => visible.test(text.replace(withoutGlyph, ''));

const untitled = 'Untitled service';

/** Returns the title of a service as pages show it. */
export const titleOf = ({ title }: { title: string }): string => (isVisible(title) ? title.trim() : untitled);

/**
 * Removes control and format characters from a name, and collapses its spaces. Returns an empty string if no visible
 * character remains.
 */
export function cleanName(name: string): string {
  const printable = name.slice(0, maxInputLength).replace(controlOrFormat, '').replace(strayJoiner, '');
  const clean = printable.replace(/\s+/g, ' ').trim();
  return isVisible(clean) ? clean : '';
}

/**
 * Returns the reason why a name is not allowed, or undefined if the name is allowed. Expects a name that `cleanName`
 * returned.
 */
export function nameProblem(name: string): 'length' | 'reserved' | undefined {
  if (name === '' || name.length > limits.nameLength) return 'length';
  return foldName(name).includes(foldedProductName) ? 'reserved' : undefined;
}

/** Returns the name that other people see. Returns an empty string if the name is not allowed. */
export function presentableName(name: string): string {
  const clean = cleanName(name);
  return nameProblem(clean) ? '' : clean;
}

/**
 * Characters that look like a letter of the product name, such as digits and Greek or Cyrillic letters.
 * `lookAlikeLetters` contains, at the same position, the letter that the character looks like.
 */
const lookAlikes = '01i|гтсоԁкіӏнһеτουκιηεν';
const lookAlikeLetters = 'olllrtcodkllhhetouklhen';

/**
 * Reduces a name to its letters, without case, accents and spaces, so that it can be compared with the product name.
 * Replaces each character of `lookAlikes` by the letter that it looks like.
 */
function foldName(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  const letters = Array.from(plain, (character) => lookAlikeLetters[lookAlikes.indexOf(character)] ?? character);
  return letters.join('').replace(/\P{L}/gu, '');
}

const foldedProductName = foldName(productName);
