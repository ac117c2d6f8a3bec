/**
 * How long tests wait before they fail. A passing test goes on as soon as its condition is met, so a large factor costs it
 * nothing. Set SLOW_MACHINE_FACTOR=1 on a fast, idle machine to see failures sooner.
 */
const slowMachineFactor = Number(process.env.SLOW_MACHINE_FACTOR || 6);

/** The time for one condition to be met, in milliseconds. */
export const waitMs = 5_000 * slowMachineFactor;

/** The time for one test or hook, in milliseconds. */
export const testMs = 30_000 * slowMachineFactor;
