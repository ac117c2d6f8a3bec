import * as z from 'zod/mini';

/** What a form holds by its schema, or what is wrong, by field name. */
export type Parsed<S extends z.core.$ZodType> =
  | { ok: true; values: z.output<S> }
  | { ok: false; errors: Partial<Record<string, string>> };

/**
 * Reads a form by the schema of what it sends. Text is taken as typed, untrimmed. The first message of each field is
 * kept, under the field's name; messages about no field in particular are under ''.
 */
export function parseForm<S extends z.core.$ZodType>(schema: S, form: FormData): Parsed<S> {
  const result = z.safeParse(schema, Object.fromEntries(form));
  if (result.success) return { ok: true, values: result.data };
  const errors: Partial<Record<string, string>> = {};
  for (const { path, message } of result.error.issues) errors[String(path[0] ?? '')] ??= message;
  return { ok: false, errors };
}
