import * as z from 'zod/mini';

/** The result of parsing a form: its values, or its errors by field name. */
export type Parsed<S extends z.core.$ZodType> =
  | { ok: true; values: z.output<S> }
  | { ok: false; errors: Partial<Record<string, string>> };

const tooLong = (maxLength: number | bigint) => `Use ${maxLength.toLocaleString('en')} characters or fewer.`;

/**
 * Parses a form without trimming its texts. Returns the first error of each field by the name of the field. An error that
 * belongs to no field has the name ''. A text that is too long always has the same error message.
 */
export function parseForm<S extends z.core.$ZodType>(schema: S, form: FormData): Parsed<S> {
  const result = z.safeParse(schema, Object.fromEntries(form));
  if (result.success) return { ok: true, values: result.data };
  const errors: Partial<Record<string, string>> = {};
  for (const issue of result.error.issues)
    errors[String(issue.path[0] ?? '')] ??= issue.code === 'too_big' ? tooLong(issue.maximum) : issue.message;
  return { ok: false, errors };
}
