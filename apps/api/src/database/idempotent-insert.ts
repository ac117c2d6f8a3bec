import { createHash } from 'node:crypto';
import type { InsertResult } from '@rtr/shared';
import { type Collection, type Filter, ObjectId, type OptionalUnlessRequiredId } from 'mongodb';
import { IdempotencyConflictError } from '../errors.ts';
import { hasErrorCode, readTimeout } from './client.ts';

export interface RowIdentity {
  _id: ObjectId;
  /** A hash of the content of the request that inserts the row. Null if the request has no idempotency key. */
  requestHash: string | null;
}

/** Returns the path at which the row with this id can be read. */
type PathOf = (id: string) => string;

/**
 * Creates the `_id` of a new row. If the request has an idempotency key, the `_id` is a hash of the customer, the key and
 * the parent of the row, such as the service of a review. The hash is shortened to 12 bytes. If the request is repeated,
 * the `_id` is the same, so the insert fails. This needs no other collection and works with sharding.
 */
export function createRowIdentity(
  uid: string,
  idempotencyKey: string | undefined,
  parentId: string,
  content: unknown[],
): RowIdentity {
  if (idempotencyKey === undefined) return { _id: new ObjectId(), requestHash: null };
  return {
    _id: new ObjectId(sha256([uid, idempotencyKey, parentId]).subarray(0, 12)),
    requestHash: sha256(content).toString('hex'),
  };
}

function sha256(parts: unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * Inserts a row. If the request is a repetition, returns the result of the first request, even if the row was edited or
 * deleted since then. A repetition changes nothing, because it must not restore content that the customer has removed. After
 * a row was erased, a repetition inserts it again. Throws an IdempotencyConflictError if the first request had other content.
 */
export async function insertIdempotently<T extends RowIdentity>(
  collection: Collection<T>,
  row: OptionalUnlessRequiredId<T> & RowIdentity,
  pathOf: PathOf,
): Promise<InsertResult> {
  try {
    const { acknowledged } = await collection.insertOne(row);
    return { acknowledged, insertedId: row._id.toHexString() };
  } catch (error) {
    if (!hasErrorCode(error, 'duplicateKey')) throw error;
    const firstResult = await findFirstResult(collection, row, pathOf);
    if (!firstResult) throw error;
    return firstResult;
  }
}

/** Returns the result of the first request with the same idempotency key, or undefined if there was none. */
export async function findFirstResult<T extends RowIdentity>(
  collection: Collection<T>,
  identity: RowIdentity,
  pathOf: PathOf,
): Promise<InsertResult | undefined> {
  if (identity.requestHash === null) return undefined;
  const options = { ...readTimeout, projection: { requestHash: 1 } };
  const existing = await collection.findOne({ _id: identity._id } as Filter<T>, options);
  return existing ? toFirstResult(identity, existing, pathOf) : undefined;
}

/**
 * Returns the result of the first request, which inserted `existing`. Throws an IdempotencyConflictError if the first request
 * had other content.
 */
export function toFirstResult(
  { _id, requestHash }: RowIdentity,
  existing: Pick<RowIdentity, 'requestHash'>,
  pathOf: PathOf,
): InsertResult {
  const insertedId = _id.toHexString();
  if (existing.requestHash === requestHash) return { acknowledged: true, insertedId };
  const location = pathOf(insertedId);
  throw new IdempotencyConflictError(
    `This Idempotency-Key was already used with other content, which created ${location}. Read that resource, or send this request with a new key.`,
    location,
    [{ path: 'headers.idempotency-key', message: `already used for ${insertedId}` }],
  );
}
