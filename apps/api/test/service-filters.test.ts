import type { AreaCount, Service, ServiceInput } from '@rtr/shared';
import { type CommandStartedEvent, type Document, ObjectId } from 'mongodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { createTestApp } from './support/test-app.ts';

const { api, apiClient, db, stores, signUp } = await createTestApp();
const jwt = await signUp();
const { services } = getCollections(db);

/** Adds services, oldest first. `stars` is their average. */
async function add(...inputs: (Partial<ServiceInput> & { stars?: number })[]): Promise<void> {
  for (const [index, { stars = 0, ...input }] of inputs.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, index));
    const { insertedId } = await stores.services.insert(someLister, { ...blankService, ...input }, undefined, at);
    const summary = { averageRating: stars, fullStars: Math.floor(stars), ratingCount: stars === 0 ? 0 : 1 };
    await services.updateOne({ _id: new ObjectId(insertedId) }, { $set: summary });
  }
}

const list = async (query: string) => {
  const { body, headers } = await api.get(`/services?${query}`).expect(200);
  return { titles: (body as Service[]).map(({ title }) => title), total: headers['x-total-count'], headers };
};

beforeEach(async () => {
  await services.deleteMany();
  await add(
    { title: 'Hood A', area: 'Old town and harbour', phone: '+1 555 0100', stars: 5 },
    { title: 'Hood B', area: 'Old Town and Harbour', website: 'https://b.example/', stars: 4 },
    { title: 'Duct C', area: 'Harbour', img: 'https://pictures.example/c.jpg', stars: 3.5 },
    { title: 'Duct D', area: 'Old mill', phone: '+1 555 0100', img: 'https://pictures.example/d.jpg' },
    { title: 'Fan E' },
  );
});

describe('the filters of the list of services', () => {
  it.each([
    ['area=harbour', ['Duct C', 'Hood B', 'Hood A']],
    ['area=Old%20town%20and%20harbour', ['Hood B', 'Hood A']],
    ['area=town%20old', ['Hood B', 'Hood A']],
    ['area=harb', []],
    ['area=queens', []],
    ['area=%21', ['Fan E', 'Duct D', 'Duct C', 'Hood B', 'Hood A']],
    ['minRating=4', ['Hood B', 'Hood A']],
    ['minRating=3', ['Duct C', 'Hood B', 'Hood A']],
    ['contact=1', ['Duct D', 'Hood B', 'Hood A']],
    ['photos=1', ['Duct D', 'Duct C']],
    ['area=old&contact=1&minRating=4', ['Hood B', 'Hood A']],
    ['photos=1&contact=1', ['Duct D']],
    ['photos=1&minRating=4', []],
    ['q=hood&area=old&minRating=5', ['Hood A']],
    ['q=duct&contact=1', ['Duct D']],
    ['q=duct&photos=1&sort=title', ['Duct C', 'Duct D']],
    ['area=old&sort=rating', ['Hood A', 'Hood B', 'Duct D']],
    ['q=hod&area=harbour', ['Hood B', 'Hood A']],
  ])('with %s, returns %j and their number', async (query, titles) => {
    expect(await list(query)).toMatchObject({ titles, total: String(titles.length) });
  });

  it('does not change the words of a search because of a filter', async () => {
    const { titles, headers } = await list('q=fan&area=harbour');
    expect([titles, headers['x-searched-for'], headers['x-left-out']]).toEqual([[], undefined, undefined]);
  });

  it('applies to all pages', async () => {
    for (const query of ['contact=1', 'q=h&area=old', 'area=harbour&sort=rating']) {
      const all = (await list(query)).titles;
      const pages = await readAllPages<Service>(api, `/services?${query}&limit=1`);
      expect(pages.flat().map(({ title }) => title)).toEqual(all);
      expect(pages).toHaveLength(all.length);
    }
  });

  it('rejects a cursor of a list with other filters', async () => {
    const { headers } = await list('area=harbour&limit=1');
    const after = new URLSearchParams(/<\?(.*)>/.exec(String(headers.link))?.[1]).get('after');
    await api.get(`/services?area=old&limit=1&after=${after}`).expect(400);
  });

  it.each(['minRating=0', 'minRating=6', 'minRating=4.5', 'contact=0', 'contact=', 'photos=true', 'area=a&area=b'])(
    'returns 400 with %s',
    async (query) => {
      await api.get(`/services?${query}`).expect(400);
    },
  );

  it('finds a service in the area of its last edit only', async () => {
    const { body } = await api.post('/services').set(bearer(jwt)).send({ title: 'Mine', area: 'Queens' }).expect(201);
    await api.patch(`/services/${body.insertedId}`).set(bearer(jwt)).send({ area: 'Bronx' }).expect(200);
    expect((await list('area=queens')).titles).toEqual([]);
    expect((await list('area=bronx')).titles).toEqual(['Mine']);
    await api.delete(`/services/${body.insertedId}`).set(bearer(jwt)).expect(200);
    expect((await list('area=bronx')).titles).toEqual([]);
  });

  it('finds a service by the stars of its reviews, and reads no services with fewer stars', async () => {
    const { _id } = (await services.findOne({ title: 'Fan E' })) ?? {};
    await api.post('/review').set(bearer(jwt)).send({ serviceId: _id, review: 'Quiet.', rating: 4 }).expect(201);
    let command = {};
    const record = (event: CommandStartedEvent) => {
      if (event.commandName === 'aggregate') command = event.command;
    };
    apiClient.on('commandStarted', record);
    const { titles } = await list('minRating=4');
    apiClient.off('commandStarted', record);
    expect(titles).toEqual(['Fan E', 'Hood B', 'Hood A']);
    const { lsid: _, $db: __, ...query } = command as Document;
    const plan = await db.command({ explain: query, verbosity: 'executionStats' });
    expect((plan.stages?.[0]?.$cursor ?? plan).executionStats.totalDocsExamined).toBe(3);
  });
});

describe('GET /areas', () => {
  it('returns the most used areas with their counts in any case, and counts a new service at once', async () => {
    await api.post('/services').set(bearer(jwt)).send({ title: 'New', area: ' Harbour ' }).expect(201);
    const { body } = await api.get('/areas').expect(200);
    expect(body as AreaCount[]).toEqual([
      { area: 'Harbour', count: 2 },
      { area: 'Old Town and Harbour', count: 2 },
      { area: 'Old mill', count: 1 },
    ]);
  });
});
