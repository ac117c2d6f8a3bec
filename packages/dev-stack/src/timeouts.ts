/**
 * The factor for all timeouts of the tests. A large factor does not slow down tests that pass, because they continue as soon
 * as a condition is met. Set SLOW_MACHINE_FACTOR=1 on a fast, idle machine to see failures sooner.
 */
const slowMachineFactor = Number(process.env.SLOW_MACHINE_FACTOR || 6);

/** The timeout for one condition, in milliseconds. */
export const waitMs = 5_000 * slowMachineFactor;

/** The timeout for one test or hook, in milliseconds. */
export const testMs = 30_000 * slowMachineFactor;
