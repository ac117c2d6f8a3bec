import * as z from 'zod/mini';

/** One web-vitals figure of a page view: milliseconds, but for CLS, which is a score. Nobody waits an hour for a page. */
const vital = z.strictObject({
  name: z.enum(['LCP', 'INP', 'CLS', 'FCP', 'TTFB']),
  value: z.number().check(z.gte(0), z.lte(3_600_000)),
});

/** What a page sends of itself, and of nobody. */
export const vitalsReport = z.strictObject({ vitals: z.array(vital).check(z.minLength(1), z.maxLength(10)) });

export type VitalsReport = z.infer<typeof vitalsReport>;
