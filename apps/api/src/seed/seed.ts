import { limits, serviceInput } from '@rtr/shared';
import type { Auth } from 'firebase-admin/auth';
import { FirebaseAuthError } from 'firebase-admin/auth';
import { type Db, ObjectId } from 'mongodb';
import * as z from 'zod/mini';
import { readTimeout } from '../database/client.ts';
import { getCollections } from '../database/collections.ts';
import type { createStores } from '../stores.ts';
import { catalogue } from './catalogue.ts';
import { type SeedAuthor, type SeedReview, seedAuthors, seedReviews } from './reviews.ts';

interface SeedOptions {
  db: Db;
  stores: ReturnType<typeof createStores>;
  /** firebase-admin's client for the Auth emulator. */
  auth: Auth;
  /** The origin of the web app and its pictures. */
  webOrigin: string;
  /** Whether to delete all data of the database first. */
  shouldReset: boolean;
}

const dayMs = 24 * 60 * 60_000;
const demoCustomers = Object.values(seedAuthors).filter(({ password }) => password !== undefined);

/**
 * Fills the database of a demonstration. If a marker document exists, the database was filled before. In this case, inserts
 * no rows, so that a restart does not undo the changes of customers. Each service and each review has an idempotency key,
 * so it is inserted only once, even after a crash or by concurrent starts.
 */
export async function seed({ db, stores, auth, webOrigin, shouldReset }: SeedOptions): Promise<void> {
  const { services, reviews, replies, reports, moderation } = stores;
  const markers = db.collection<{ _id: string; webOrigin: string }>('seeds');
  const collections = getCollections(db);
  if (shouldReset) {
    await Promise.all([markers, ...Object.values(collections)].map((collection) => collection.deleteMany({})));
    await auth.deleteUsers(demoCustomers.map(({ uid }) => uid));
  }
  // The Auth emulator may have lost its accounts, so they are created again, except those that customers have deleted.
  const tombstones = await collections.accounts.find({}, readTimeout).toArray();
  const deletedUids = new Set(tombstones.map(({ _id }) => _id));
  const existing = demoCustomers.filter(({ uid }) => !deletedUids.has(uid));
  await Promise.all(existing.map((customer) => createAccount(auth, customer, webOrigin)));
  const marker = await markers.findOne({ _id: 'demo' }, readTimeout);
  if (marker) {
    if (marker.webOrigin !== webOrigin) await replacePictureOrigin(marker.webOrigin);
    return;
  }

  const now = new Date();
  const ages = serviceAgesInDays();
  const reported: { id: string; report: NonNullable<SeedReview['report']> }[] = [];
  await Promise.all(
    catalogue.map(async ({ slug, lister, ...fields }, index) => {
      const input = z.parse(serviceInput, { ...fields, img: pictureUrl(webOrigin, `${slug}.svg`) });
      const createdAt = new Date(now.getTime() - (ages[index] ?? 0) * dayMs - index * 37 * 60_000);
      const { uid, name, pictureFile } = listerOf(lister);
      const customer = { uid, name, picture: pictureUrl(webOrigin, pictureFile) };
      const { insertedId } = await services.insert(customer, input, slug, createdAt);
      const service = { ...input, _id: insertedId };
      for (const [index, review] of seedReviews.entries())
        if (review.service === slug) await insertReview(review, index, service, customer);
    }),
  );
  // The services without a lister look as if their lister had deleted the account.
  await collections.services.updateMany({ createdBy: noLister.uid }, { $set: { createdBy: null, listerId: null } });
  await collections.listers.deleteOne({ _id: noLister.uid });
  const marked = await markers.updateOne({ _id: 'demo' }, { $setOnInsert: { webOrigin } }, { upsert: true });
  // If several processes add the demo data at the same time, only one of them inserts the marker. Only this process
  // adds the reports, so that they are not added twice.
  if (marked.upsertedCount === 1) for (const { id, report } of reported) await insertReport(id, report);

  /** Updates the URLs of the pictures after the origin of the web app has changed, for example to another port. */
  async function replacePictureOrigin(oldOrigin: string): Promise<void> {
    const [find, replacement] = [`${oldOrigin}/pictures/`, `${webOrigin}/pictures/`];
    const replaced = (field: string) => ({ $replaceOne: { input: `$${field}`, find, replacement } });
    await collections.services.updateMany({}, [{ $set: { img: replaced('img') } }]);
    await collections.reviews.updateMany({}, [
      { $set: { img: replaced('img'), costomerImg: replaced('costomerImg') } },
    ]);
    await collections.listers.updateMany({}, [{ $set: { picture: replaced('picture') } }]);
    await collections.conversations.updateMany({}, [
      { $set: { 'customer.picture': replaced('customer.picture'), 'lister.picture': replaced('lister.picture') } },
    ]);
    await Promise.all(
      demoCustomers.map(async ({ uid, pictureFile }) => {
        // If the customer has deleted the account, `user` is undefined.
        const user = await auth.getUser(uid).catch(() => undefined);
        if (user?.photoURL === pictureUrl(oldOrigin, pictureFile))
          await auth.updateUser(uid, { photoURL: pictureUrl(webOrigin, pictureFile) });
      }),
    );
    await markers.updateOne({ _id: 'demo' }, { $set: { webOrigin } });
  }

  async function insertReview(
    seedReview: SeedReview,
    index: number,
    service: { _id: string; title: string; price: string; img: string },
    lister: { uid: string; name: string },
  ): Promise<void> {
    const { author: authorKey, daysAgo, editedDaysAgo, rating, review, service: slug, reply, report } = seedReview;
    const author = seedAuthors[authorKey];
    if (!author) throw new Error(`A review of ${slug} has an unknown author: '${authorKey}'.`);
    const createdAt = workingTime(now, daysAgo, index);
    const { insertedId } = await reviews.insert(
      {
        author: { ...author, picture: pictureUrl(webOrigin, author.pictureFile) },
        service,
        input: {
          review,
          rating,
          time: createdAt.toLocaleTimeString('en-US'),
          date: createdAt.toLocaleDateString('en-US'),
        },
        createdAt,
      },
      `${slug} ${index}`,
    );
    if (editedDaysAgo !== undefined)
      await reviews.edit(insertedId, author.uid, { review }, { editedAt: workingTime(now, editedDaysAgo, index + 1) });
    const usefulBy = votersOf(seedReview, index);
    const usefulMilestone = {
      count: usefulBy.length < 5 ? 1 : 5,
      at: workingTime(now, Math.ceil(daysAgo / 2), index + 3),
    };
    await collections.reviews.updateOne(
      { _id: new ObjectId(insertedId) },
      { $set: { usefulBy, usefulCount: usefulBy.length, ...(usefulBy.length > 0 && { usefulMilestone }) } },
    );
    if (reply) await replies.put(insertedId, lister, reply.text, workingTime(now, reply.daysAgo, index + 2));
    if (report) reported.push({ id: insertedId, report });
  }

  async function insertReport(
    id: string,
    { by, reason, text, hiddenBecause }: NonNullable<SeedReview['report']>,
  ): Promise<void> {
    const uidOf = (key: string) => seedAuthors[key]?.uid ?? key;
    if (await collections.reports.findOne({ caseId: `review-${id}` }, readTimeout)) return;
    await reports.report(uidOf(by), 'review', id, { reason, text, about: 'review' });
    if (!hiddenBecause) return;
    const moderator = listerOf('nadia');
    const { rows } = await moderation.findCases(moderator.uid, { limit: limits.maxPageSize });
    const { version = '' } = rows.find(({ _id }) => _id === `review-${id}`) ?? {};
    await moderation.act(moderator, `review-${id}`, { action: 'hide', reason: hiddenBecause, version });
  }
}

const noLister = { uid: 'seed-catalogue', name: '', pictureFile: '' };

function listerOf(key: string | undefined): Pick<SeedAuthor, 'uid' | 'name' | 'pictureFile'> {
  if (key === undefined) return noLister;
  const lister = seedAuthors[key];
  if (!lister) throw new Error(`A service has an unknown lister: '${key}'.`);
  return lister;
}

/** Returns the uids of the customers who found a review useful. Long reviews have more votes, and short ones have none. */
function votersOf({ author, review }: SeedReview, index: number): string[] {
  const others = Object.entries(seedAuthors).flatMap(([key, { uid }]) => (key === author ? [] : [uid]));
  const start = (index * 5) % others.length;
  return [...others, ...others].slice(start, start + Math.min(9, Math.floor(review.length / 80)));
}

export function listDemoLogins(): string[] {
  return demoCustomers.map(
    ({ name, email, password, isModerator }) =>
      `${name}: ${email}, password ${password}${isModerator ? ', a moderator' : ''}`,
  );
}

/** Creates an account. An existing account keeps its password and name. */
async function createAccount(
  auth: Auth,
  { uid, name, email, password = '', pictureFile, isModerator }: SeedAuthor,
  webOrigin: string,
): Promise<void> {
  try {
    await auth.createUser({ uid, email, password, displayName: name, photoURL: pictureUrl(webOrigin, pictureFile) });
    if (isModerator) await auth.setCustomUserClaims(uid, { moderator: true });
  } catch (error) {
    const existsCodes = ['auth/uid-already-exists', 'auth/email-already-exists'];
    if (!(error instanceof FirebaseAuthError && existsCodes.includes(error.code))) throw error;
  }
}

function pictureUrl(webOrigin: string, file: string): string {
  return file === '' ? '' : `${webOrigin}/pictures/${file}`;
}

/**
 * Returns the age of each service in days. The last service is the newest, and each service is older than its oldest review.
 */
function serviceAgesInDays(): number[] {
  let age = 0;
  return catalogue
    .toReversed()
    .map(({ slug }) => {
      const firstReviewed = Math.max(
        0,
        ...seedReviews.filter(({ service }) => service === slug).map(({ daysAgo }) => daysAgo),
      );
      age = Math.max(age + 14, firstReviewed + 3);
      return age;
    })
    .toReversed();
}

/** Returns a time between 8:00 and 20:00 on an earlier day. `index` determines the hour and the minute. */
function workingTime(now: Date, daysAgo: number, index: number): Date {
  const at = new Date(now.getTime() - Math.max(1, daysAgo) * dayMs);
  at.setHours(8 + ((index * 5) % 12), (index * 17) % 60, (index * 29) % 60, 0);
  return at;
}
