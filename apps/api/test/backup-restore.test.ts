import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BSON, type Document } from 'mongodb';
import { afterAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { migrate } from '../src/database/migrations.ts';
import { runOperate } from '../src/run-operate.ts';
import { bearer } from './support/bearer.ts';
import { runProgram } from './support/run-program.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

// Tests the instructions in docs/operations.md for restoring a lost database. mongodump also saves the indexes. The
// dump in these tests contains only the documents, so `migrate` creates the indexes.
const { api, db, config, signUp, signIn, takeWarnings } = await createTestApp();
const firebase = await startTcpProxy(inject('authEmulatorHost'));
const folder = mkdtempSync(join(tmpdir(), 'rtr-restore-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'tombstones.jsonl');

const env = {
  MONGODB_URI: inject('mongodbUri'),
  MONGODB_DATABASE: config.mongodbDatabase,
  FIREBASE_AUTH_EMULATOR_HOST: firebase.host,
};
const operate = async (...args: string[]) => (await runOperate(config, args)).join('\n');
const byAndReason = ['--by', 'ana', '--reason', 'restored the backup of last night'];
const applyFile = ['apply', 'tombstones', file, ...byAndReason];
const apply = (tombstones: string) => {
  writeFileSync(file, tombstones);
  return operate(...applyFile);
};

async function dump(): Promise<string> {
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  const rows = await Promise.all(names.map(async (name) => [name, await db.collection(name).find().toArray()]));
  return BSON.EJSON.stringify(Object.fromEntries(rows), { relaxed: false });
}

async function restore(dumped: string): Promise<void> {
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) await db.dropCollection(name);
  for (const [name, rows] of Object.entries(BSON.EJSON.parse(dumped) as Record<string, Document[]>))
    if (rows.length > 0) await db.collection(name).insertMany(rows);
}

const closeAccount = async (customer: TestCustomer) =>
  api
    .delete('/account')
    .set(bearer(await signIn(customer)))
    .expect(200);
const countsOf = async (id: string) => {
  const { reviewCount, ratingCount, averageRating } = (await api.get(`/services/${id}`).expect(200)).body;
  return [reviewCount, ratingCount, averageRating];
};

let leaving: TestCustomer;
let staying: TestCustomer;
let own: string;
let theirs: string;
let withdrawn: string;
let hidden: string;
beforeEach(async () => {
  await Promise.all(Object.values(getCollections(db)).map((collection) => collection.deleteMany({})));
  [leaving, staying] = [await signUp({ name: 'Leaving' }), await signUp({ name: 'Staying' })];
  own = await add(leaving, 'Of the leaving customer');
  theirs = await add(await signUp(), 'Of another lister');
  await write(leaving, { rating: 1 });
  withdrawn = await write(leaving, { rating: 2 });
  await api.delete(`/review/${withdrawn}`).set(bearer(leaving)).expect(200);
  hidden = await write(leaving, { rating: 3 });
  await operate('hide', 'review', hidden, ...byAndReason);
  await write(staying, { rating: 5 });
});

async function add(author: TestCustomer, title: string): Promise<string> {
  return (await api.post('/services').set(bearer(author)).send({ title }).expect(201)).body.insertedId;
}
async function write(author: TestCustomer, { rating, key }: { rating: number; key?: string }): Promise<string> {
  const input = { serviceId: theirs, review: 'Said', rating };
  const headers = { ...bearer(author), ...(key && { 'Idempotency-Key': key }) };
  return (await api.post('/review').set(headers).send(input).expect(201)).body.insertedId;
}

async function expectDeleted(): Promise<void> {
  expect(await db.collection('reviews').countDocuments({ uid: leaving.uid })).toBe(0);
  expect(await countsOf(theirs)).toEqual([1, 1, 5]);
  expect(await db.collection('services').countDocuments({ createdBy: leaving.uid })).toBe(0);
  await api.get(`/services/${own}`).expect(200);
  // The API caches the status of an account for 60 s, and may not know yet that another program has closed this account. So
  // move the clock of the API 60 s forward.
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  await api.get(`/review?email=${leaving.email}`).set(bearer(leaving)).expect(401);
  clock.mockRestore();
  await api.post('/jwt').set(bearer(leaving.idToken)).send({ email: leaving.email }).expect(401);
  await expect(signIn(leaving)).rejects.toThrow('EMAIL_NOT_FOUND');
}

describe('a restored backup, after `operate apply tombstones`,', () => {
  test('contains everything except the data of customers who deleted their account after the backup', async () => {
    const backup = await dump();
    await closeAccount(leaving);
    const lost = await write(staying, { rating: 1, key: 'lost' });
    const { code, stdout: tombstones } = await runProgram('operate', ['tombstones'], env);
    expect([code, JSON.parse(tombstones)]).toEqual([
      0,
      { uid: leaving.uid, deletedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);

    await restore(backup);
    // The erased reviews are in the database again, and the counts of the service include them.
    expect(await countsOf(theirs)).toEqual([2, 2, 3]);
    expect(await db.collection('reviews').countDocuments({ uid: leaving.uid })).toBe(3);
    await api.get('/readyz').expect(503);
    expect(takeWarnings().join()).toContain('Run the migrate command.');

    expect((await runProgram('migrate', [], env)).stdout).toContain('has its collections, validators and indexes');
    await api.get('/readyz').expect(200);
    expect(await runProgram('operate', ['apply', 'tombstones', '-', ...byAndReason], env, tombstones)).toEqual({
      code: 0,
      stdout: 'Of 1 tombstones 1 were missing. Every deletion is finished.\n',
      stderr: '',
    });
    await expectDeleted();
    expect(await operate('log', '--last', '1')).toContain(
      'apply tombstones 1 customers  done  by ana: restored the backup of last night',
    );

    // The database has lost a review that was added after the backup. The customer sends it again with its idempotency key.
    await api.get(`/review/${lost}`).expect(404);
    expect(await write(staying, { rating: 4, key: 'lost' })).toBe(lost);
    expect(await countsOf(theirs)).toEqual([2, 1, 4]);
  });

  test('contains neither the data nor the login of a customer who deleted their account after the backup, even if Firebase accounts were restored too', async () => {
    const backup = await dump();
    const tombstones = `${JSON.stringify({ uid: leaving.uid, deletedAt: new Date(Date.now() - 3_600_000) })}\n`;
    // The account still exists in Firebase, as after a restore of the Firebase accounts. So the customer can log in.
    await restore(backup);
    await migrate(db);
    await signIn(leaving);
    expect(await apply(tombstones)).toContain('Of 1 tombstones 1 were missing.');
    await expectDeleted();
    // The command has finished the deletion, and leaves nothing to the sweep that finishes account deletions.
    expect(await db.collection('accounts').countDocuments({ finishedAt: null })).toBe(0);
  });

  test('does not contain the data of a customer whose account deletion was unfinished during the backup', async () => {
    await db.collection<Document & { _id: string }>('accounts').insertOne({
      _id: leaving.uid,
      deletedAt: new Date(Date.now() - 3_600_000),
      finishedAt: null,
    });
    await restore(await dump());
    await migrate(db);
    expect(await apply('')).toBe('Of 0 tombstones 0 were missing. Every deletion is finished.');
    await expectDeleted();
  });

  test('contains no data of a deleted account, even if the command ran several times and Firebase was unavailable during the first run', async () => {
    const backup = await dump();
    await closeAccount(leaving);
    const tombstone = await operate('tombstones');
    const tombstones = `${tombstone}\n${tombstone}\n`;
    writeFileSync(file, tombstones);
    await restore(backup);
    await migrate(db);

    await firebase.disconnect();
    const { code, stderr } = await runProgram('operate', applyFile, env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('run it again')]);
    // The API rejects the customer even before the deletion is finished.
    await api.get(`/review?email=${leaving.email}`).set(bearer(leaving)).expect(401);
    await firebase.reconnect();
    for (const _ of ['second', 'third'])
      expect(await apply(tombstones)).toBe('Of 2 tombstones 0 were missing. Every deletion is finished.');
    await expectDeleted();
    expect((await operate('log', '--last', '3')).match(/ {2}(unfinished|already) {2}/g)).toEqual([
      '  already  ',
      '  already  ',
      '  unfinished  ',
    ]);
  });
});

test.for<[string, string, string]>([
  [
    'with an incomplete line',
    '{"uid":"a","deletedAt":"2026-01-01T00:00:00.000Z"}\n{"uid":"b","dele',
    'Line 2 is no tombstone',
  ],
  ['with an invalid date', '{"uid":"a","deletedAt":"yesterday"}', 'Line 1 is no tombstone'],
  [
    'with an unknown field',
    '{"uid":"a","deletedAt":"2026-01-01T00:00:00.000Z","email":"a@b.c"}',
    'Line 1 is no tombstone',
  ],
])('a tombstone file %s is rejected, and none of its lines is applied', async ([, content, words]) => {
  await expect(apply(content)).rejects.toThrow(words);
  expect(await db.collection('accounts').countDocuments()).toBe(0);
});

test('the command `operate apply tombstones` fails if the tombstone file cannot be read, or if --by and --reason are missing', async () => {
  const missing = join(folder, 'none');
  await expect(operate('apply', 'tombstones', missing, ...byAndReason)).rejects.toThrow('The file cannot be read');
  writeFileSync(file, '');
  await expect(operate('apply', 'tombstones', file)).rejects.toThrow('Say who you are and why');
  expect(readFileSync(file, 'utf8')).toBe('');
});
