import * as z from 'zod/mini';

/** One web-vitals metric of a page view. CLS is a score, the others are milliseconds. Values over an hour are invalid. */
const vital = z.strictObject({
  name: z.enum(['LCP', 'INP', 'CLS', 'FCP', 'TTFB']),
  value: z.number().check(z.gte(0), z.lte(3_600_000)),
});

/** The metrics of one page view. They contain nothing about the visitor. */
export const vitalsReport = z.strictObject({ vitals: z.array(vital).check(z.minLength(1), z.maxLength(10)) });

export type VitalsReport = z.infer<typeof vitalsReport>;
