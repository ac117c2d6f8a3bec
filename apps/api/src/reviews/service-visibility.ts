import type { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ServiceDocument } from '../database/documents/services.ts';

type Services = Collections['services'];
/** The fields of a service that decide which data of its reviews are visible. */
type Visibility = Pick<ServiceDocument, 'hiddenAt' | 'hiddenPictures'>;

const options = { ...readTimeout, projection: { hiddenAt: 1, hiddenPictures: 1 } };

/**
 * Returns whether a service is listed, and its hidden pictures. If the service is not listed, its reviews are not public.
 */
export async function findVisibility(services: Services, _id: ObjectId) {
  const service = await services.findOne({ _id }, options);
  return { isListed: service !== null && !service.hiddenAt, hiddenPictures: service?.hiddenPictures };
}

/** Finds the given services. A service that was erased is missing in the result. */
export async function findVisibilities(services: Services, ids: readonly ObjectId[]): Promise<Map<string, Visibility>> {
  if (ids.length === 0) return new Map();
  const found = await services.find({ _id: { $in: [...ids] } }, options).toArray();
  return new Map(found.map((service) => [service._id.toHexString(), service]));
}
