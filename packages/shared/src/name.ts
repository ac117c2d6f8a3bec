import { limits } from './limits.ts';

const productName = 'RTR Cloud Kitchen';

/** Longer names are cut before any matching. Firebase stores at most 256 characters. */
const maxInputLength = 1000;

const controlOrFormat = /(?!\s)\p{Cc}|(?![\u200c\u200d])\p{Cf}|\p{Cs}/gu;
/** A joiner belongs to the spelling after a Bengali or Persian letter. Elsewhere it is only invisible. */
const strayJoiner = /(?<![\p{L}\p{M}])[\u200c\u200d]|(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])[\u200c\u200d]/gu;
/** Characters without a glyph, although Unicode classifies some of them as letters or symbols. */
const withoutGlyph = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * The name with single spaces and without control and format characters. Empty if no visible character is left.
 */
export function cleanName(name: string): string {
  const printable = name.slice(0, maxInputLength).replace(controlOrFormat, '').replace(strayJoiner, '');
  const clean = printable.replace(/\s+/g, ' ').trim();
  return visible.test(clean.replace(withoutGlyph, '')) ? clean : '';
}

/** Why a name that `cleanName` returned is not allowed. Undefined if it is allowed. */
export function nameProblem(name: string): 'length' | 'reserved' | undefined {
  if (name === '' || name.length > limits.nameLength) return 'length';
  return foldName(name).includes(foldName(productName)) ? 'reserved' : undefined;
}

/** The name that others may see. Empty if it is not allowed. */
export function presentableName(name: string): string {
  const clean = cleanName(name);
  return nameProblem(clean) ? '' : clean;
}

/** Digits, Cyrillic and Greek characters that look like a letter of the product name, and below each that letter. */
const lookAlikes = '01i|гтсоԁкіӏнһеτουκιηεν';
const lookAlikeLetters = 'olllrtcodkllhhetouklhen';

/** The name as a reader may perceive it: only letters, without case, accents and spaces. The look-alikes are incomplete. */
function foldName(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  const letters = Array.from(plain, (character) => lookAlikeLetters[lookAlikes.indexOf(character)] ?? character);
  return letters.join('').replace(/\P{L}/gu, '');
}
