import { limits } from '@rtr/shared';
import type { Document } from 'mongodb';

/**
 * The JSON schemas of the fields of a collection. Documents may lack the fields in `optional`.
 */
export interface DocumentSchema {
  required: Record<string, Document>;
  optional?: Record<string, Document>;
}

export const text = (maxLength: number) => ({ bsonType: 'string', maxLength });
export const texts = { bsonType: 'array', items: { bsonType: 'string' } };
export const uid = { ...text(limits.uidLength), minLength: 1 };
export const date = { bsonType: 'date' };
export const count = { bsonType: 'number', minimum: 0 };
export const starsOrZero = { bsonType: 'number', minimum: 0, maximum: 5 };
export const nullable = (bsonType: string) => ({ bsonType: [bsonType, 'null'] });
