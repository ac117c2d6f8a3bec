/**
 * All timeouts of the tests are multiplied by this number. A large number does not slow down passing tests, because a test
 * continues as soon as its condition is met. On a fast, idle machine, SLOW_MACHINE_FACTOR=1 makes failing tests fail sooner.
 */
const slowMachineFactor = Number(process.env.SLOW_MACHINE_FACTOR || 6);

/** How long a test waits for one condition to become true, in milliseconds. */
export const waitMs = 5_000 * slowMachineFactor;

/** The timeout for a single test or hook, in milliseconds. */
export const testMs = 30_000 * slowMachineFactor;
