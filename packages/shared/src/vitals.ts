import * as z from 'zod/mini';

/**
 * One web-vitals metric of a page view. CLS is a score. All other metrics are in milliseconds, and more than an hour is
 * invalid.
 */
export const vital = z.strictObject({
  name: z.enum(['LCP', 'INP', 'CLS', 'FCP', 'TTFB']),
  value: z.number().check(z.gte(0), z.lte(3_600_000)),
});

/** The web-vitals metrics of one page view. They contain no data about the visitor. */
export const vitalsReport = z.strictObject({ vitals: z.array(vital).check(z.minLength(1), z.maxLength(10)) });

export type VitalsReport = z.infer<typeof vitalsReport>;
