import type { Auth } from 'firebase-admin/auth';
import { FirebaseAuthError } from 'firebase-admin/auth';
import type { Db } from 'mongodb';
import { collectionsOf, readDeadline } from '../database.ts';
import type { ReviewStore } from '../reviews/reviews.store.ts';
import type { ServiceStore } from '../services/services.store.ts';
import { catalogue } from './catalogue.ts';
import { type SeedAuthor, type SeedReview, seedAuthors, seedReviews } from './reviews.ts';

interface SeedOptions {
  db: Db;
  services: ServiceStore;
  reviews: ReviewStore;
  /** Of the Auth emulator. */
  auth: Auth;
  /** Where the web app, and so its pictures, are. */
  webOrigin: string;
  /** Deletes everything in this database first. */
  reset?: boolean;
}

const day = 24 * 60 * 60_000;
const demoCustomers = Object.values(seedAuthors).filter(({ demo }) => demo);

/**
 * Fills a database for a demonstration, once: a marker says that it was done, and from then on what customers made of
 * it is left alone. Every row has a key of its own, so two starts at once, or one after a crash, make each row once.
 */
export async function seed({ db, services, reviews, auth, webOrigin, reset = false }: SeedOptions): Promise<boolean> {
  const markers = db.collection<{ _id: string; seededAt: Date; webOrigin: string }>('seeds');
  const collections = collectionsOf(db);
  if (reset) {
    await Promise.all([markers, ...Object.values(collections)].map((collection) => collection.deleteMany({})));
    await auth.deleteUsers(demoCustomers.map(({ uid }) => uid));
  }
  // The emulator keeps its accounts apart, and may have lost them; but who deleted their account stays gone.
  const closed = await collections.accounts.find({}, readDeadline).toArray();
  const gone = new Set(closed.map(({ _id }) => _id));
  await Promise.all(demoCustomers.filter(({ uid }) => !gone.has(uid)).map((author) => signUp(auth, author, webOrigin)));
  const marker = await markers.findOne({ _id: 'demo' }, readDeadline);
  if (marker) {
    if (marker.webOrigin !== webOrigin) await movePictures(marker.webOrigin);
    return false;
  }

  const now = new Date();
  const ages = serviceAges();
  await Promise.all(
    catalogue.map(async ({ slug, ...said }, index) => {
      const input = { ...said, img: picture(webOrigin, `${slug}.svg`) };
      const at = new Date(now.getTime() - (ages[index] ?? 0) * day - index * 37 * 60_000);
      const { insertedId } = await services.insert('seed-catalogue', input, slug, at);
      const service = { ...input, _id: insertedId };
      for (const [index, review] of seedReviews.entries())
        if (review.service === slug) await writeReview(review, index, service);
    }),
  );
  await markers.updateOne({ _id: 'demo' }, { $setOnInsert: { seededAt: now, webOrigin } }, { upsert: true });
  return true;

  /** A demonstration that starts on another port would otherwise look for its pictures on the old one. */
  async function movePictures(from: string): Promise<void> {
    const [find, replacement] = [picture(from, '*'), picture(webOrigin, '*')].map((url) => url.slice(0, -1));
    const moved = (field: string) => ({ $replaceOne: { input: `$${field}`, find, replacement } });
    await collections.services.updateMany({}, [{ $set: { img: moved('img') } }]);
    await collections.reviews.updateMany({}, [{ $set: { img: moved('img'), costomerImg: moved('costomerImg') } }]);
    await Promise.all(
      demoCustomers.map(async ({ uid, picture: file }) => {
        const user = await auth.getUser(uid).catch(() => undefined); // who deleted their account stays gone
        if (user?.photoURL === picture(from, file)) await auth.updateUser(uid, { photoURL: picture(webOrigin, file) });
      }),
    );
    await markers.updateOne({ _id: 'demo' }, { $set: { webOrigin } });
  }

  async function writeReview(
    { author, daysAgo, editedDaysAgo, rating, review, service: slug }: SeedReview,
    index: number,
    service: { _id: string; title: string; price: string; img: string },
  ): Promise<void> {
    const writer = seedAuthors[author];
    if (!writer) throw new Error(`A review of ${slug} is by '${author}', who is no author.`);
    const at = workingHour(now, daysAgo, index);
    const { insertedId } = await reviews.insert({
      author: { ...writer, picture: picture(webOrigin, writer.picture) },
      service,
      input: { review, rating, time: at.toLocaleTimeString('en-US'), date: at.toLocaleDateString('en-US') },
      key: `${slug} ${index}`,
      at,
    });
    if (editedDaysAgo !== undefined)
      await reviews.edit(insertedId, writer.uid, { review }, workingHour(now, editedDaysAgo, index + 1));
  }
}

/** Who can log in, and how, a line each. */
export function demoLogins(): string[] {
  return demoCustomers.map(({ name, email, password }) => `${name}: ${email}, password ${password}`);
}

/** Adds an account that is not there yet. One that is there keeps its password and its name. */
async function signUp(auth: Auth, { uid, name, email, password = '', picture: file }: SeedAuthor, webOrigin: string) {
  try {
    await auth.createUser({ uid, email, password, displayName: name, photoURL: picture(webOrigin, file) });
  } catch (error) {
    const isThere = ['auth/uid-already-exists', 'auth/email-already-exists'];
    if (!(error instanceof FirebaseAuthError && isThere.includes(error.code))) throw error;
  }
}

function picture(webOrigin: string, file: string): string {
  return file === '' ? '' : `${webOrigin}/pictures/${file}`;
}

/** Days since each service was listed: the last one is the newest, and each is older than its oldest review. */
function serviceAges(): number[] {
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

/** A moment between 8 and 20 h, so many days ago; each index has its own minute. */
function workingHour(now: Date, daysAgo: number, index: number): Date {
  const at = new Date(now.getTime() - Math.max(1, daysAgo) * day);
  at.setHours(8 + ((index * 5) % 12), (index * 17) % 60, (index * 29) % 60, 0);
  return at;
}
