import type * as z from 'zod/mini';

/** A schema with its descriptions in the OpenAPI document. */
export interface DescribedSchema {
  schema: z.core.$ZodType;
  description: string;
  /** The descriptions of the fields, by name. Absent if the schema is not an object. */
  fields?: Readonly<Record<string, string>>;
}

/** Describes an object schema. The compiler reports each field without a description. */
export function describeObject<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape>,
  description: string,
  fields: Readonly<Record<keyof Shape & string, string>>,
): DescribedSchema {
  return { schema, description, fields };
}
