const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 60 * 60],
  ['month', 30 * 24 * 60 * 60],
  ['week', 7 * 24 * 60 * 60],
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
  ['second', 1],
];
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago, in its largest whole unit: '3 weeks ago'. What lies ahead by a clock's error is now. */
export function ageOf(timestamp: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(timestamp)) / 1000);
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['second', 1];
  return words.format(-Math.floor(seconds / size) || 0, unit);
}
