import { randomBytes } from 'node:crypto';
import type { ServiceQuery, ServiceReviewsQuery } from '@rtr/shared';
import { type CommandStartedEvent, type Document, MongoClient, ObjectId } from 'mongodb';
import { afterAll, assert, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createSweeps } from '../src/app.ts';
import type { Identity } from '../src/auth/identity.ts';
import { getCollections } from '../src/database/collections.ts';
import { findMissingIndexes, migrate } from '../src/database/migrations.ts';
import { noQuotas } from '../src/quotas.ts';
import { createSummaryStore } from '../src/reviews/summaries.store.ts';
import { createStores } from '../src/stores.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { runProgram } from './support/run-program.ts';

const client = new MongoClient(inject('mongodbUri'), { monitorCommands: true });
const database = `t_${randomBytes(8).toString('hex')}_demo`;
const db = client.db(database);
const stores = createStores(getCollections(db), ['https://kitchen.example'], noQuotas);
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

describe('migrate', () => {
  it('creates all collections and indexes in an empty database, and can run concurrently and repeatedly', async () => {
    expect(await findMissingIndexes(db)).toContain('index services.newest');
    await Promise.all(Array.from({ length: 5 }, () => migrate(db)));
    expect(await findMissingIndexes(db)).toEqual([]);
    await migrate(db);
    expect(await findMissingIndexes(db)).toEqual([]);
  });

  it('creates an index that was dropped, and does not change the documents', async () => {
    await migrate(db);
    const { services } = getCollections(db);
    const input = { ...blankService, title: 'Hood' };
    const { insertedId } = await stores.services.insert(someLister, input);
    await services.dropIndex('price');
    expect(await findMissingIndexes(db)).toEqual(['index services.price']);
    await migrate(db);
    expect(await findMissingIndexes(db)).toEqual([]);
    expect((await stores.services.find(insertedId)).title).toBe('Hood');
  });

  it('creates TTL indexes that erase deleted reviews after a day and withdrawn services after 30 days', async () => {
    await migrate(db);
    const { reviews, services } = getCollections(db);
    expect((await reviews.indexes()).find(({ name }) => name === 'eraseDeleted')).toMatchObject({
      key: { deletedAt: 1 },
      expireAfterSeconds: 86_400,
      partialFilterExpression: { deletedAt: { $type: 'date' } },
    });
    expect((await services.indexes()).find(({ name }) => name === 'eraseWithdrawn')).toMatchObject({
      key: { withdrawnAt: 1 },
      expireAfterSeconds: 30 * 86_400,
      partialFilterExpression: { withdrawnAt: { $type: 'date' } },
    });
  });

  it('adds validators, so that the database rejects invalid documents', async () => {
    await migrate(db);
    const { services, reviews, accounts } = getCollections(db);
    const input = { ...blankService, title: 'Hood' };
    await stores.services.insert(someLister, input);
    const invalidDocument = { code: 121 };
    for (const bad of [
      { title: 1 },
      { title: 'x'.repeat(121) },
      { words: 'x' },
      { averageRating: 6 },
      { distribution: [1] },
    ])
      await expect(services.updateOne({}, { $set: bad as never })).rejects.toMatchObject(invalidDocument);
    await expect(services.updateOne({}, { $unset: { createdAt: 1 } as never })).rejects.toMatchObject(invalidDocument);
    await expect(reviews.insertOne({ review: 'no more than that' } as never)).rejects.toMatchObject(invalidDocument);
    await expect(accounts.insertOne({ _id: 'x' } as never)).rejects.toMatchObject(invalidDocument);
  });
});

describe('the version of the data', () => {
  const versions = db.collection<{ _id: string; version: number }>('versions');
  const env = {
    MONGODB_URI: inject('mongodbUri'),
    MONGODB_DATABASE: database,
    FIREBASE_AUTH_EMULATOR_HOST: inject('authEmulatorHost'),
    PORT: '0',
  };
  const outputOf = async (program: 'migrate' | 'operate' | 'seed' | 'server') => {
    const { code, stdout, stderr } = await runProgram(program, program === 'operate' ? ['log'] : [], env);
    return { code, output: stdout + stderr };
  };
  beforeEach(async () => {
    await db.dropDatabase();
  });

  it.each(['migrate', 'seed', 'operate', 'server'] as const)(
    'is checked by %s, which rejects data of before 1.0.0 and changes nothing',
    async (program) => {
      await db.collection('services').insertOne({ title: 'From before' });
      const unversioned = await outputOf(program);
      expect(unversioned).toEqual({
        code: 1,
        output: expect.stringMatching(/has no version, .* needs the version 1\./),
      });
      expect(unversioned.output).toContain('rm -r .data');
      expect(unversioned.output).not.toContain('failed');
      expect(await db.collection('services').countDocuments()).toBe(1);
      expect(await db.listCollections({}, { nameOnly: true }).toArray()).toMatchObject([{ name: 'services' }]);
    },
  );

  it('is checked by `migrate`, which rejects data of a newer release and changes nothing', async () => {
    await versions.insertOne({ _id: 'data', version: 2 });
    await expect(migrate(db)).rejects.toThrow(/has the version 2, .* needs the version 1\.[^]*Run a newer release/);
    expect(await db.listCollections({}, { nameOnly: true }).toArray()).toMatchObject([{ name: 'versions' }]);
  });

  it.each(['seed', 'operate'] as const)(
    'is missing in an empty database, so %s asks for `migrate`',
    async (program) => {
      const output = expect.stringContaining('is empty. Run the migrate command first.');
      expect(await outputOf(program)).toEqual({ code: 1, output });
    },
  );
});

describe('the query plan', () => {
  const started: CommandStartedEvent[] = [];
  const collections = getCollections(db);
  const { services, reviews, replies, votes, summaries } = stores;
  const rows = 200;
  let serviceId: string;

  beforeAll(async () => {
    await db.dropDatabase();
    await migrate(db);
    for (let index = 0; index < rows; index += 1) {
      const input = { ...blankService, title: `Hood ${index % 7}`, price: `${index % 5}`, description: 'Grease' };
      serviceId = (await services.insert(someLister, input)).insertedId;
    }
    const service = { _id: serviceId, title: '', price: '', img: '' };
    for (let index = 0; index < rows; index += 1)
      await reviews.insert(
        {
          author: { uid: `uid${index % 3}`, email: 'a@b.example', name: 'A', picture: '' },
          service,
          input: { review: 'x', time: '', date: '', ...(index % 6 && { rating: index % 6 }) },
        },
        `key ${index}`,
      );
    await collections.reviews.updateMany({ uid: 'uid2' }, { $set: { usefulBy: ['uid1', 'uid0'], usefulCount: 2 } });
    const reply = { uid: 'lister', text: 'x', name: 'A', createdAt: new Date(), updatedAt: new Date() };
    await collections.reviews.updateMany({ uid: 'uid1' }, { $set: { reply, awaitsReply: false } });
    client.on('commandStarted', (event) => {
      if (event.databaseName === database && ['find', 'aggregate', 'findAndModify'].includes(event.commandName))
        started.push(event);
    });
  });

  /** Reads two pages of a list. Returns the plan of each MongoDB query that the API sent to read them. */
  async function plansOf(read: (after?: string) => Promise<{ nextCursor?: string }>) {
    started.length = 0;
    const { nextCursor } = await read();
    expect(nextCursor).toBeDefined();
    await read(nextCursor);
    const plans: Awaited<ReturnType<typeof planOf>>[] = [];
    for (const { commandName, command } of started.splice(0)) plans.push(await planOf(commandName, command));
    return plans;
  }

  async function planOf(command: string, sent: Document) {
    const { lsid: _, $db: __, ...query } = sent;
    const plan = await db.command({ explain: query, verbosity: 'executionStats' });
    const isCount = command === 'aggregate' && !sent.pipeline.some((stage: Document) => '$sort' in stage);
    return { command, isCount, stages: stagesOf(plan), examined: examinedBy(plan) };
  }

  const own = () => ({ email: 'a@b.example', limit: 5 });
  const ofServices = (query: ServiceQuery) => (after?: string) => services.findPage({ ...query, limit: 5, after });
  const ofReviews = (query: Partial<ServiceReviewsQuery>) => (after?: string) =>
    reviews.findPageByService({ serviceId, limit: 5, after, ...query });

  it.each([
    ['services', ofServices({})],
    ['services by title', ofServices({ sort: 'title' })],
    ['services by price', ofServices({ sort: 'price' })],
    ['services by rating', ofServices({ sort: 'rating' })],
    ['reviews of a service', ofReviews({})],
    ['reviews of a service, highest first', ofReviews({ sort: 'highest' })],
    ['reviews of a service, lowest first', ofReviews({ sort: 'lowest' })],
    ['reviews of a service, unanswered first', ofReviews({ sort: 'unanswered' })],
    ['reviews of a service with 3 stars', ofReviews({ rating: 3 })],
    ['reviews of a service with 3 stars, lowest first', ofReviews({ rating: 3, sort: 'lowest' })],
    ['reviews of a service, most useful first', ofReviews({ sort: 'useful' })],
    ['reviews of a service with 3 stars, most useful first', ofReviews({ rating: 3, sort: 'useful' })],
    ['own services', (after?: string) => services.findPageByLister('lister', { limit: 5, after })],
    ['own votes', (after?: string) => votes.findPageByVoter('uid1', { limit: 5, after })],
    ['own replies', (after?: string) => replies.findPageByLister('lister', { limit: 5, after })],
    ['own reviews', (after?: string) => reviews.findPageByAuthor('uid1', { ...own(), after })],
    ['own reviews of a service', (after?: string) => reviews.findPageByAuthor('uid1', { ...own(), serviceId, after })],
  ])(
    'of a page of %s uses an index in the order of the list, and examines few rows beyond the page',
    async (_, read) => {
      const plans = await plansOf(read);
      for (const { stages } of plans) {
        expect(stages).not.toContain('COLLSCAN');
        expect(stages).not.toContain('SORT');
      }
      const pages = plans.filter(({ isCount }) => !isCount);
      expect(pages.length).toBeGreaterThanOrEqual(2);
      // Each query needs 6 rows: the 5 rows of a page, and one row that shows whether there is a next page. If MongoDB
      // merges two index ranges, it may count each row twice (2 × 6), and read one more row of each range (+ 2).
      for (const { examined } of pages) expect(examined).toBeLessThanOrEqual(2 * (5 + 1) + 2);
    },
  );

  it.each(['relevance', 'newest', 'title', 'price', 'rating'] as const)(
    'of each query of a search with the parameter sort=%s uses an index',
    async (sort) => {
      for (const q of ['hood grease', 'h', 'hod'])
        for (const { stages } of await plansOf(ofServices({ q, sort }))) expect(stages).not.toContain('COLLSCAN');
    },
  );

  it('of counts and summaries reads only index keys, and no documents', async () => {
    const plans = [
      ...(await plansOf(ofServices({}))),
      ...(await plansOf(ofServices({ q: 'hood' }))),
      ...(await plansOf(ofReviews({}))),
      ...(await plansOf(ofReviews({ rating: 3 }))),
      ...(await plansOf((after?: string) => reviews.findPageByAuthor('uid1', { ...own(), after }))),
    ].filter(({ isCount }) => isCount);
    await replies.countUnanswered({ _id: serviceId, reviewCount: rows });
    for (const { commandName, command } of started.splice(0)) plans.push(await planOf(commandName, command));
    const inParts = createSummaryStore(collections, { reviewsPerRead: 20 });
    const id = new ObjectId(serviceId);
    for (const recompute of [() => summaries.refresh(id), () => inParts.refresh(id), () => summaries.sweep()]) {
      await recompute();
      const recount = started.splice(0).filter(({ command }) => command.aggregate ?? command.find === 'reviews');
      expect(recount.length).toBeGreaterThanOrEqual(1);
      for (const { commandName, command } of recount) plans.push(await planOf(commandName, command));
    }
    expect(plans.map(({ examined }) => examined)).toEqual(plans.map(() => 0));
  });

  it('of the query that runs before a review is inserted uses indexes, and examines only reviews of the same author', async () => {
    const author = { uid: 'uid9', email: 'a@b.example', name: 'A', picture: '' };
    const input = { serviceId, review: 'x', time: '', date: '' };
    for (let index = 0; index < 3; index += 1) {
      started.length = 0;
      await reviews.add(author, input, `key ${index}`);
    }
    const [{ commandName, command } = assert.fail()] = started;
    const { stages, examined } = await planOf(commandName, command);
    expect(stages).not.toContain('COLLSCAN');
    // The customer now has three reviews. The branch of `$or` for the quota reads all three, and the branch for the
    // idempotency key reads one.
    expect(examined).toBeLessThanOrEqual(3 + 1);
  });

  it('of each query of the sweeps uses an index', async () => {
    const withoutIndex: Document[] = [];
    // There are no pictures and no unfinished account deletions, so the sweeps do not use the identity provider.
    const mail = { mailServer: { send: async () => 'sent' as const }, countEmail: () => {} };
    for (const sweep of createSweeps(db, {} as Identity, ['https://kitchen.example'], mail)) {
      started.length = 0;
      await sweep();
      for (const { commandName, command } of started.splice(0))
        if ((await planOf(commandName, command)).stages.includes('COLLSCAN')) withoutIndex.push(command);
    }
    expect(withoutIndex).toEqual([]);
  });

  it('of each command of `migrate` uses an index, and examines no documents if there is nothing to update', async () => {
    const changes: CommandStartedEvent[] = [];
    const record = (event: CommandStartedEvent) => {
      if (event.databaseName === database && ['find', 'aggregate', 'update'].includes(event.commandName))
        changes.push(event);
    };
    await migrate(db);
    client.on('commandStarted', record);
    await migrate(db);
    client.off('commandStarted', record);
    expect(changes.length).toBeGreaterThan(0);
    for (const { commandName, command } of changes.filter(({ command }) => command.find !== 'versions')) {
      const { stages, examined } = await planOf(commandName, command);
      expect([command, stages.includes('COLLSCAN'), examined]).toEqual([command, false, 0]);
    }
  });

  it('of a query without an index contains the stages COLLSCAN and SORT, and examines all rows', async () => {
    const plan = await collections.services.find({ description: 'x' }).sort({ ratting: 1 }).explain('executionStats');
    expect(stagesOf(plan)).toEqual(expect.arrayContaining(['COLLSCAN', 'SORT']));
    expect(examinedBy(plan)).toBe(rows);
    await expect(services.find(new ObjectId().toHexString())).rejects.toThrow('No service has this id');
  });
});

function stagesOf(plan: unknown): string[] {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf);
  if (typeof plan !== 'object' || plan === null) return [];
  return Object.entries(plan).flatMap(([key, value]) => {
    if (key === 'rejectedPlans' || key === 'allPlansExecution') return [];
    return key === 'stage' ? [String(value)] : stagesOf(value);
  });
}

function examinedBy(plan: Document): number {
  const { executionStats } = plan.stages?.[0]?.$cursor ?? plan;
  return Number(executionStats.totalDocsExamined);
}
