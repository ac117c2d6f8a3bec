import type { Service, ServiceInput, ServiceSort } from '@rtr/shared';
import { Collection, MongoServerError, ObjectId } from 'mongodb';
import { afterEach, assert, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import type { ServiceDocument } from '../src/database/documents/services.ts';
import { bearer } from './support/bearer.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { randomFrom } from './support/random.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { createTestApp } from './support/test-app.ts';

const { api, db, stores, signUp } = await createTestApp();
const { jwt } = await signUp();
const { services } = getCollections(db);
const sorts = ['relevance', 'newest', 'title', 'price', 'rating'] as const;

afterEach(() => {
  vi.restoreAllMocks();
});

const alphabetical = new Intl.Collator('en', { sensitivity: 'accent' });

const newestFirst = (a: ServiceDocument, b: ServiceDocument) =>
  b.createdAt.getTime() - a.createdAt.getTime() || compare(b._id, a._id);

/** A reference implementation that sorts the services in memory. */
const reference: Record<ServiceSort, (a: ServiceDocument, b: ServiceDocument) => number> = {
  // All rows match the searches of these tests equally well, so the order by relevance is newest first.
  relevance: newestFirst,
  newest: newestFirst,
  title: (a, b) => alphabetical.compare(a.title, b.title) || compare(a._id, b._id),
  price: (a, b) => ascending(priceOf(a), priceOf(b)) || compare(a._id, b._id),
  rating: (a, b) => ascending(-a.averageRating, -b.averageRating) || compare(b._id, a._id),
};
const compare = (a: ObjectId, b: ObjectId) => (a.toHexString() < b.toHexString() ? -1 : 1);
const ascending = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
const priceOf = ({ price }: ServiceDocument) => (price === '' ? Infinity : Number(price.replace(/[^\d.]/g, '')));

async function addRandom(random: () => number, count: number): Promise<void> {
  const pick = <T>(...values: T[]): T => values[Math.floor(random() * values.length)] ?? assert.fail();
  for (let added = 0; added < count; added += 1) {
    const input: ServiceInput = {
      ...blankService,
      title: pick('', 'hood', 'Hood', 'HOOD', 'hôod', 'hood 2', 'Duct', 'duct', 'Árbol', 'arbol', 'zinc', 'Öl'),
      price: pick('', '', '$1', '$1', '1.5', '$1,200', '0', '99'),
      description: pick('grease', 'air', 'Grease and air'),
    };
    // With only eight different times, many rows have the same time.
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(random() * 8));
    const { insertedId } = await stores.services.insert(someLister, input, undefined, at);
    const averageRating = pick(0, 0, 1, 4.33, 4.33, 5);
    await services.updateOne(
      { _id: new ObjectId(insertedId) },
      { $set: { averageRating, ratingCount: averageRating === 0 ? 0 : 3 } },
    );
  }
}

describe('with random rows', () => {
  beforeAll(async () => {
    await services.deleteMany();
    await addRandom(randomFrom(1), 40);
  });

  it.each(sorts)(
    'pages with the order %s contain every row once, in the same order as the reference implementation',
    async (sort) => {
      const all = await services.find().toArray();
      for (const [q, limit] of [
        [undefined, 1],
        [undefined, 7],
        [undefined, 40],
        ['grease', 4],
      ] as const) {
        const expected = all
          .filter(({ description }) => q === undefined || /grease/i.test(description))
          .toSorted(reference[sort])
          .map(({ _id }) => _id.toHexString());
        const pages = await readAllPages<Service>(api, `/services?sort=${sort}&limit=${limit}${q ? `&q=${q}` : ''}`);
        expect(pages.flat().map(({ _id }) => _id)).toEqual(expected);
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        expect(pages).toHaveLength(Math.ceil(expected.length / limit));
      }
    },
  );
});

describe('with random rows that change', () => {
  it.each(sorts)(
    'pages with the order %s do not repeat or skip a row when other rows are inserted and deleted between two pages',
    async (sort) => {
      await services.deleteMany();
      const random = randomFrom(100);
      await addRandom(random, 30);
      const before = (await services.find().toArray()).toSorted(reference[sort]).map(({ _id }) => _id.toHexString());
      const idsToDelete = new Set(before.filter(() => random() < 0.2));
      const pages = await readAllPages<Service>(api, `/services?sort=${sort}&limit=4`, async () => {
        await addRandom(random, 2);
        const [next] = idsToDelete;
        if (next === undefined) return;
        idsToDelete.delete(next);
        await services.deleteOne({ _id: new ObjectId(next) });
      });
      const seen = pages.flat().map(({ _id }) => _id);
      expect(new Set(seen).size).toBe(seen.length);
      const remaining = new Set((await services.find().toArray()).map(({ _id }) => _id.toHexString()));
      const expected = before.filter((id) => remaining.has(id));
      expect(seen.filter((id) => expected.includes(id))).toEqual(expected);
    },
  );
});

it('the complete list of services has the same order as its pages', async () => {
  await services.deleteMany();
  await addRandom(randomFrom(9), 60);
  const pages = await readAllPages<Service>(api, '/services?limit=7');
  expect((await api.get('/services').expect(200)).body).toEqual(pages.flat());
});

/** Makes the API forget the cached count. Even a failed change of a service does this. */
const forgetCount = () =>
  api
    .delete(`/services/${'f'.repeat(24)}`)
    .set(bearer(jwt))
    .expect(404);

describe('the total count of services', () => {
  beforeEach(async () => {
    await services.deleteMany();
  });

  it('is counted only once for several requests with different values of `sort`', async () => {
    await addRandom(randomFrom(4), 9);
    await forgetCount();
    const count = vi.spyOn(Collection.prototype, 'countDocuments');
    for (const sort of ['newest', 'price', 'title'])
      expect((await api.get(`/services?limit=7&sort=${sort}`)).headers['x-total-count']).toBe('9');
    expect(count).toHaveBeenCalledOnce();
  });

  it('is absent from responses after a count has taken too long, except on a page that contains all services', async () => {
    await addRandom(randomFrom(5), 30);
    await forgetCount();
    // Simulates a count that exceeds its timeout because the database is busy.
    const count = vi
      .spyOn(Collection.prototype, 'countDocuments')
      .mockRejectedValue(new MongoServerError({ message: 'operation exceeded time limit', code: 50 }));
    for (const path of ['/services?limit=7', '/services?limit=7&sort=price', '/services?limit=100']) {
      const { body, headers } = await api.get(path).expect(200);
      const expected = path.endsWith('100') ? [30, '30', false] : [7, undefined, true];
      expect([body.length, headers['x-total-count'], 'link' in headers]).toEqual(expected);
    }
    expect(count).toHaveBeenCalledOnce();
  });

  it('is exact up to 10,000 services, and absent when there are more', async () => {
    await addRandom(randomFrom(6), 3);
    let stored = 10_000;
    // Simulates a collection with so many services.
    vi.spyOn(Collection.prototype, 'countDocuments').mockImplementation(async (_, options) =>
      Math.min(stored, options?.limit ?? stored),
    );
    const total = async () => {
      await forgetCount();
      return (await api.get('/services?limit=2').expect(200)).headers['x-total-count'];
    };
    expect(await total()).toBe('10000');
    stored = 10_001;
    expect(await total()).toBeUndefined();
  });
});
