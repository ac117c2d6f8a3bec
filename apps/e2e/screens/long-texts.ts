import type { ServiceInput } from '@rtr/shared';

/** A word that cannot be broken. */
export const word = 'Grease'.repeat(13);

/** A service whose texts are this word. */
export const longService: Partial<ServiceInput> = {
  title: word,
  price: word.slice(0, 40),
  ratting: word.slice(0, 40),
  description: word.repeat(2),
  phone: '5'.repeat(40),
  website: `https://${word.slice(0, 60)}.example/`,
  area: word,
  hours: word,
  licence: word,
};

/** The time and the date that a review shows. */
export const longTimes = { time: word.slice(0, 40), date: word.slice(0, 40) };
