const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 24 * 60 * 60],
  ['month', 30 * 24 * 60 * 60],
  ['week', 7 * 24 * 60 * 60],
  ['day', 24 * 60 * 60],
  ['hour', 60 * 60],
  ['minute', 60],
  ['second', 1],
];
const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/**
 * Returns the age in its largest complete unit, such as '3 weeks ago'. A time in the future counts as now, because the clock
 * of the device may be wrong.
 */
export function ageOf(timestamp: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(timestamp)) / 1000);
  const [unit, size] = units.find(([, length]) => seconds >= length) ?? ['second', 1];
  return formatter.format(-Math.floor(seconds / size) || 0, unit);
}
