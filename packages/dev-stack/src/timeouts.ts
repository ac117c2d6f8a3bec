/**
 * All timeouts of the tests are multiplied by this number. A large number does not slow down tests that pass, because they
 * continue as soon as a condition is met. On a fast, idle machine, SLOW_MACHINE_FACTOR=1 shows failures sooner.
 */
const slowMachineFactor = Number(process.env.SLOW_MACHINE_FACTOR || 6);

/** The timeout for one condition, in milliseconds. */
export const waitMs = 5_000 * slowMachineFactor;

/** The timeout for one test or hook, in milliseconds. */
export const testMs = 30_000 * slowMachineFactor;
