import { createHash } from 'node:crypto';
import type { InsertResult } from '@rtr/shared';
import type { Collection, Filter, OptionalUnlessRequiredId } from 'mongodb';
import { MongoServerError, ObjectId } from 'mongodb';
import { readDeadline } from './database.ts';
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
    if (!(error instanceof MongoServerError && error.code === 11000)) throw error;
    const answer = await answerToRepeat(collection, row, path);
    if (!answer) throw error;
    return answer;
  }
}

/**
 * The first answer when the row was inserted before; undefined when it is new. `where` is what finds the row on one shard.
 */
export async function answerToRepeat<T extends Identity>(
  collection: Collection<T>,
  { _id, requestHash }: Identity,
  path: string,
  where: Filter<T> = {},
): Promise<InsertResult | undefined> {
  if (requestHash === null) return undefined;
  const options = { ...readDeadline, projection: { requestHash: 1 } };
  const first = await collection.findOne({ ...where, _id } as Filter<T>, options);
  if (!first) return undefined;
  const insertedId = _id.toHexString();
  if (first.requestHash === requestHash) return { acknowledged: true, insertedId };
  throw new HttpError(
    422,
    `This Idempotency-Key was used before, with another text, and made ${path}/${insertedId}. Read that one, or send this with a new key.`,
    {
      errors: [{ path: 'headers.idempotency-key', message: `already used for ${insertedId}` }],
      headers: { Location: `${path}/${insertedId}` },
    },
  );
}
