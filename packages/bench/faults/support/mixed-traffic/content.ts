import type { Random } from '../figures.ts';
import type { ServiceFields } from './model.ts';

/** The words of titles and descriptions. None of them has a synonym, and none is similar to another one. */
const words = 'granite copper walnut marble velvet juniper saffron cobalt amber bamboo tundra zephyr'.split(' ');

/** Texts that a wrong conversion would change: HTML, quotes, emoji, several lines, spaces at both ends, no text at all. */
const texts = [
  'Quick and clean.',
  '<b>Bold</b> & "quoted" \\ \u2028 {{x}} $set',
  'Sauber 👩‍🍳 geputzt – und günstig',
  'পরিষ্কার কাজ',
  'First line\nsecond line\r\n\tthird',
  '  spaces at both ends  ',
  '=SUM(A1:A9)',
  '',
];

const randomWord = ({ pick }: Random) => pick(words);

/** Returns a word, or the start of a word. */
export function randomSearch(random: Random): string {
  const word = randomWord(random);
  return random.fraction() < 0.3 ? word.slice(0, random.integer(3, 4)) : word;
}

export const randomText = (random: Random) => `${random.pick(texts)}${random.integer(0, 2) || ''}`;

export function randomServiceFields(random: Random): ServiceFields {
  const { integer, pick } = random;
  const number = integer(1, 9999);
  return {
    title: `${randomWord(random)} oven ${number} ${randomWord(random)}`,
    ratting: pick(['', '5', 'the best', '4,5 ★']),
    img: pick(['', `https://pictures.kitchen-photos.com/${number}.jpg`]),
    price: pick([`$${integer(1, 500)}`, `${integer(1, 500)} a visit`, 'on request', '']),
    description: `${randomText(random)} With ${randomWord(random)} for the chef.`,
    phone: pick(['', `+880 17${number}`]),
    website: pick(['', `https://www.kitchen-${number}.com/a?b=c&d=e`]),
    area: pick(['', 'Dhaka', 'Köln – Süd']),
    hours: pick(['', 'Mon–Fri 8–18']),
    licence: pick(['', `Gas ${number}`]),
    insured: pick(['', 'yes', 'no']),
  };
}

/** Returns new values for one or more of the fields. */
export function randomServiceEdit(random: Random): Partial<ServiceFields> {
  const all = Object.entries(randomServiceFields(random));
  const chosen = all.filter(() => random.fraction() < 0.3);
  return Object.fromEntries(chosen.length === 0 ? [random.pick(all)] : chosen);
}
