import { createHash } from 'node:crypto';
import type { InsertResult } from '@rtr/shared';
import type { Collection, Filter, OptionalUnlessRequiredId } from 'mongodb';
import { MongoServerError, ObjectId } from 'mongodb';
import { HttpError } from './http/problem.ts';

interface Identity {
  _id: ObjectId;
  /** What was said with the key; null without a key. */
  requestHash: string | null;
}

/**
 * Who a new row is. With an Idempotency-Key it is the same for every repeat: the first 12 bytes of a hash of customer,
 * key and service, so one insertOne tells a repeat from a first time, with no second collection and on any shard.
 */
export function identityOf(uid: string, key: string | undefined, serviceId: string, said: unknown[]): Identity {
  if (key === undefined) return { _id: new ObjectId(), requestHash: null };
  return {
    _id: new ObjectId(sha256([uid, key, serviceId]).subarray(0, 12)),
    requestHash: sha256(said).toString('hex'),
  };
}

function sha256(parts: unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * Inserts a row, or gives a repeat its first answer. The same key with another text is a 422 that names the row.
 *
 * A repeat that arrives after the row was edited or deleted also gets the first answer, and changes nothing: it is an
 * echo of a request that succeeded, and must never bring back what its customer took away since.
 */
export async function insertOnce<T extends Identity>(
  collection: Collection<T>,
  row: OptionalUnlessRequiredId<T> & Identity,
  path: string,
): Promise<InsertResult> {
  const insertedId = row._id.toHexString();
  try {
    const { acknowledged } = await collection.insertOne(row);
    return { acknowledged, insertedId };
  } catch (error) {
    const isRepeat = error instanceof MongoServerError && error.code === 11000 && row.requestHash !== null;
    if (!isRepeat) throw error;
    const first = { _id: row._id, requestHash: row.requestHash } as Filter<T>;
    if ((await collection.countDocuments(first, { limit: 1, maxTimeMS: 1500 })) === 1)
      return { acknowledged: true, insertedId };
    throw new HttpError(
      422,
      `This Idempotency-Key was used before, with another text, and made ${path}/${insertedId}. Read that one, or send this with a new key.`,
      {
        errors: [{ path: 'headers.idempotency-key', message: `already used for ${insertedId}` }],
        headers: { Location: `${path}/${insertedId}` },
      },
    );
  }
}
