import type { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';

type Services = Collections['services'];

const options = { ...readTimeout, projection: { _id: 1 } };

/** Returns true if the service exists, and is neither hidden nor withdrawn. Otherwise, its reviews are not public. */
export async function isServiceListed(services: Services, _id: ObjectId): Promise<boolean> {
  return (await services.findOne({ _id, hiddenAt: null }, options)) !== null;
}

/** Returns the ids of those of the given services that exist, and are neither hidden nor withdrawn. */
export async function findListedServices(services: Services, ids: readonly ObjectId[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const listed = await services.find({ _id: { $in: [...ids] }, hiddenAt: null }, options).toArray();
  return new Set(listed.map(({ _id }) => _id.toHexString()));
}
