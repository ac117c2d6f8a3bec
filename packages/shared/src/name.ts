const productName = 'RTR Cloud Kitchen';

/** In UTF-16 code units. */
const nameMaxLength = 80;
/** A longer name is cut before anything is matched. Firebase holds at most 256 characters. */
const inputMaxLength = 1000;

const controlOrFormat = /(?!\s)\p{Cc}|(?![\u200c\u200d])\p{Cf}|\p{Cs}/gu;
/** A joiner is part of the spelling after a Bengali or Persian letter. Elsewhere it is only invisible. */
const strayJoiner = /(?<![\p{L}\p{M}])[\u200c\u200d]|(?<=[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}])[\u200c\u200d]/gu;
/** Drawn as nothing, though Unicode calls some of them letters or symbols. */
const blank = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** A customer's name with single spaces and without control and format characters; empty when nothing visible is left. */
export function cleanName(name: string): string {
  const printable = name.slice(0, inputMaxLength).replace(controlOrFormat, '').replace(strayJoiner, '');
  const clean = printable.replace(/\s+/g, ' ').trim();
  return visible.test(clean.replace(blank, '')) ? clean : '';
}

/** What is wrong with a name that `cleanName` returned; undefined when it may be used. */
export function nameProblem(name: string): 'length' | 'reserved' | undefined {
  if (name === '' || name.length > nameMaxLength) return 'length';
  return folded(name).includes(folded(productName)) ? 'reserved' : undefined;
}

/** A customer's name as others may see it; empty when they may not. */
export function presentableName(name: string): string {
  const clean = cleanName(name);
  return nameProblem(clean) ? '' : clean;
}

/** Characters that look like a letter of our name, and below each that letter: digits, Cyrillic and Greek. */
const lookAlikes = '01i|гтсоԁкіӏнһеτουκιηεν';
const lookedLike = 'olllrtcodkllhhetouklhen';

/** A name as a reader may take it: letters alone, without case, accents and spaces. Not every look-alike is known. */
function folded(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  const letters = Array.from(plain, (character) => lookedLike[lookAlikes.indexOf(character)] ?? character);
  return letters.join('').replace(/\P{L}/gu, '');
}
