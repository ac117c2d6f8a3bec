import { Agent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Document, ObjectId } from 'mongodb';
import { call, waitUntil } from '../client.ts';
import type { Installation } from '../installation.ts';
import { isListed, isLive, type Json, type Model, type Review } from './model.ts';
import { reviewRow, serviceRow } from './rows.ts';
import type { Traffic } from './traffic.ts';

/** The number of services or customers that are compared at the same time. */
const parallelCount = 8;
/** The maximum time until all API instances return the current number of services. Each instance caches this number. */
const totalTimeoutMs = 10_000;
/** Closes each connection after its request, so that no connection is left. */
const agent = new Agent();
/**
 * These collections may contain uids of closed accounts. `accounts` keeps its tombstones for ever, and `limits` keeps uids
 * for up to a day.
 */
const keepsUids = new Set(['accounts', 'limits']);

/** After all writes have ended, compares the data in the API and in the database with the expected data. */
export async function compareFinalState(installation: Installation, traffic: Traffic): Promise<void> {
  const { model, requests, lists, checks } = traffic;
  const report = (differences: readonly string[]) => {
    for (const difference of differences) model.reportDifference(difference, []);
  };
  await forEach(model.services.values(), async (service) => {
    await checks.service(service);
    for (const query of [{ limit: '100' }, { sort: 'useful' }, { sort: 'highest' }, {}])
      await lists.compare(requests, lists.reviewsOf(service, query));
  });
  await forEach(model.customers, async (customer) => {
    for (const query of [{}, { limit: '7' }]) await lists.compare(requests, lists.ownReviews(customer, query));
    for (const list of [lists.ownServices, lists.votes, lists.replies])
      await lists.compare(requests, list(customer, { limit: '100' }));
    await checks.reports(customer);
  });
  for (const sort of ['newest', 'title', 'price', 'rating'])
    await lists.compare(requests, lists.services({ sort, limit: '100' }));
  for (const q of ['granite', 'zeph']) await lists.compare(requests, lists.services({ q, limit: '100' }));
  report(await compareStreams(installation, model));
  report(await compareClosedAccounts(installation, model));
  report(await compareDatabase(installation, model));
  await waitForTotals(installation, model);
}

async function forEach<T>(items: Iterable<T>, run: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items].values();
  const worker = async () => {
    for (const item of queue) await run(item);
  };
  await Promise.all(Array.from({ length: parallelCount }, worker));
}

/**
 * Compares two complete lists with the expected rows: all services, and all reviews of the service with the most
 * reviews. Reads both lists from each API instance and through each web server.
 */
async function compareStreams({ apis, webs }: Installation, model: Model): Promise<string[]> {
  const services = [...model.services.values()].filter(isListed);
  const [largest] = services.toSorted((a, b) => b.reviews.size - a.reviews.size);
  const reviews = [...(largest?.reviews.values() ?? [])].filter(isLive);
  const expected: [path: string, rows: Json[]][] = [
    ['/services', services.map(serviceRow)],
    [`/allreview?serviceId=${largest?.id}`, reviews.map((review) => reviewRow(review))],
  ];
  const addresses = [...apis.map(({ origin }) => [origin, '']), ...webs.map(({ origin }) => [origin, '/api'])] as const;
  const differences: string[] = [];
  for (const [origin = '', prefix = ''] of addresses)
    for (const [path, rows] of expected) {
      const { text } = await call(origin, prefix + path, { agent });
      const found = JSON.parse(text) as Json[];
      const byId = (list: readonly Json[]) => new Map(list.map((row) => [row._id, row]));
      if (found.length !== rows.length || !isDeepStrictEqual(byId(found), byId(rows)))
        differences.push(
          `The stream ${origin}${prefix}${path} has ${found.length} rows instead of ${rows.length}, or other rows`,
        );
    }
  return differences;
}

/**
 * Returns a message for each closed account whose reviews the API still returns, and for each document that still
 * contains the uid of a closed account.
 */
async function compareClosedAccounts({ apis, db }: Installation, { closed }: Model): Promise<string[]> {
  const differences: string[] = [];
  for (const { origin } of apis)
    for (const { name, email, token } of closed) {
      const { status, text } = await call(origin, `/review?email=${email}`, { token, agent });
      if (status !== 401 && text !== '[]') differences.push(`The closed account ${name} reads ${status} ${text}`);
    }
  for (const collection of await db.collections()) {
    if (keepsUids.has(collection.collectionName)) continue;
    for await (const document of collection.find()) {
      const text = JSON.stringify(document);
      const owner = closed.find(({ uid }) => text.includes(uid));
      if (owner) differences.push(`${collection.collectionName} contains the closed account ${owner.name}: ${text}`);
    }
  }
  return differences;
}

/** Compares all services and reviews in the database with the expected data, including withdrawn and deleted ones. */
async function compareDatabase({ db }: Installation, { services }: Model): Promise<string[]> {
  const reviews = [...services.values()].flatMap((service) => [...service.reviews.values()]);
  const storedServices = await db.collection('services').find().toArray();
  const storedReviews = await db.collection('reviews').find().toArray();
  return [
    ...compareDocuments('service', storedServices, services, ({ createdBy, withdrawnAt, listerName }, service) => [
      [createdBy, service.lister?.uid ?? null],
      [withdrawnAt != null, !isListed(service)],
      [listerName, service.listerName],
    ]),
    ...compareDocuments('review', storedReviews, new Map(reviews.map((review) => [review.id, review])), pairsOf),
  ];
}

function pairsOf({ uid, deletedAt, review, reply, usefulBy = [] }: Document, expected: Review) {
  const voters = [...expected.voters].map((voter) => voter.uid);
  return [
    [uid, expected.author.uid],
    [deletedAt === null, isLive(expected)],
    [review, expected.text],
    [reply?.text, expected.reply?.text],
    [(usefulBy as string[]).toSorted(), voters.toSorted()],
  ];
}

function compareDocuments<T>(
  noun: string,
  stored: readonly Document[],
  expected: ReadonlyMap<string, T>,
  pairs: (document: Document, row: T) => unknown[][],
): string[] {
  const differences: string[] = [];
  const documents = new Map(stored.map((document) => [(document._id as ObjectId).toHexString(), document]));
  for (const [id, document] of documents) {
    const row = expected.get(id);
    const wrong = row ? pairs(document, row).filter(([found, value]) => !isDeepStrictEqual(found, value)) : [];
    if (!row || wrong.length > 0)
      differences.push(`The database contains another ${noun}: ${JSON.stringify({ document, wrong })}`);
  }
  for (const id of expected.keys()) if (!documents.has(id)) differences.push(`The database lacks the ${noun} ${id}`);
  return differences;
}

async function waitForTotals({ apis }: Installation, model: Model): Promise<void> {
  const expected = [...model.services.values()].filter(isListed).length;
  const totals = new Map<string, unknown>();
  await waitUntil(async () => {
    for (const { origin } of apis)
      totals.set(origin, (await call(origin, '/services?limit=1', { agent })).headers['x-total-count']);
    return [...totals.values()].every((total) => Number(total) === expected);
  }, totalTimeoutMs).catch(() =>
    model.reportDifference(`The totals are ${JSON.stringify([...totals])} instead of ${expected}`, []),
  );
}
