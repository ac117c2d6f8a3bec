import { emptyService } from '@rtr/shared';
import { type Collection, type Db, type Document, ObjectId } from 'mongodb';
import type { Customer } from './customers.ts';
import { allWords, areas, equipment, otherWords, places, tasks } from './seed-words.ts';
import { seededRandom } from './seeded-random.ts';

export interface Size {
  services: number;
  reviews: number;
  /** The number of reviews of the service with the most reviews. */
  ofHotService: number;
  /** The number of reviews by the customer `regular`. All other customers have far fewer. */
  byRegular: number;
}

export interface Customers {
  regular: Customer;
  newcomer: Customer;
}

interface Service
  extends Record<'title' | 'ratting' | 'img' | 'price' | 'description' | 'phone' | 'website' | 'area', string> {
  _id: ObjectId;
  createdAt: Date;
  createdBy: string;
  reviewCount: number;
  distribution: number[];
}

/** With fewer reviews, some lists that the benchmarks measure are empty. */
export const minReviews = 1000;
const dayMs = 24 * 60 * 60_000;
const batchSize = 5000;
/** The number of reviews by the customer `newcomer`. They fill a little more than one page. */
const byNewcomer = 30;
const fastInsert = { ordered: false, writeConcern: { w: 1, journal: false } } as const;

/**
 * Fills an empty, migrated database with realistic data. The reviews are ordered by time, and some services have many more
 * reviews than others. Every run creates the same rows, but with different ids and dates. The validators of the database
 * check each row. The indexes are dropped and built again at the end, because updating them with every row would take much
 * longer.
 */
export async function seedDatabase(
  db: Db,
  size: Size,
  customers: Customers,
  say: (line: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  const report = (step: string) => say(`  ${step} after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  const rows = createRows(size, customers);
  const services = Array.from({ length: size.services }, (_, index) => rows.service(index));
  const buildIndexes = await dropIndexes(db);
  // Insert the reviews first, because `rows.review` counts the reviews of each service. The services are inserted with
  // these counts.
  await insertRows(db.collection('reviews'), size.reviews, (index) => rows.review(index, services), report);
  await insertRows(db.collection('services'), size.services, (index) => toDocument(services[index] as Service), report);
  const vocabularySize = allWords.length + size.services;
  await insertRows(db.collection('vocabulary'), vocabularySize, toVocabularyDocument, report);
  await buildIndexes();
  report('all indexes');
}

/** Creates the functions that create the services and the reviews. */
function createRows(size: Size, { regular, newcomer }: Customers) {
  const { random, pick } = seededRandom(1);
  const words = (count: number) =>
    Array.from({ length: count }, () => pick(random() < 0.15 ? equipment : otherWords)).join(' ');
  const now = Date.now();
  const start = now - 3 * 365 * dayMs;
  let ids = 0;
  const idAt = (at: Date) =>
    new ObjectId(hex(at.getTime() / 1000, 8) + hex(random() * 2 ** 40, 10) + hex((ids += 1) % 2 ** 24, 6));
  const strangers = Array.from({ length: Math.ceil(size.reviews / 5) }, () => uidFrom(random));
  const time = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' });
  const date = new Intl.DateTimeFormat('en-US');

  return {
    service(index: number): Service {
      const at = new Date(start - dayMs + (index * 365 * dayMs) / size.services);
      const title = `${pick(equipment)} ${pick(tasks)} for ${pick(places)}`;
      // Each of these two search words is in half of the services, but only one service in 5,000 has both.
      const where = index % 5000 === 0 ? 'home away' : index % 2 === 0 ? 'home' : 'away';
      return {
        _id: idAt(at),
        title: title.charAt(0).toUpperCase() + title.slice(1),
        ratting: (3 + 2 * random()).toFixed(1),
        img: random() < 0.8 ? `https://pictures.example/${index}.jpg` : '',
        price: random() < 0.1 ? 'on request' : `from $${Math.floor(20 + 2000 * random() ** 3)}`,
        description: `${words(12)} ${pick(tasks)} ${pick(places)} ${where} number ${index}`,
        phone: random() < 0.5 ? '+1 555 0100' : '',
        website: random() < 0.3 ? 'https://kitchen.example/' : '',
        area: random() < 0.95 ? (areas[Math.floor(areas.length * random() ** 2)] as string) : '',
        createdAt: at,
        createdBy: pick(strangers),
        reviewCount: 0,
        distribution: [0, 0, 0, 0, 0],
      };
    },

    /** Creates a review of one of the services, and counts it in the service. */
    review(index: number, services: readonly Service[]) {
      const at = new Date(start + (index / size.reviews) * (now - start - dayMs));
      const draw = random() * size.reviews;
      const author =
        draw < size.byRegular
          ? regular
          : draw < size.byRegular + byNewcomer
            ? newcomer
            : { uid: pick(strangers), email: 'somebody@kitchen.example' };
      // The service in the middle of the list gets about `ofHotService` reviews. The others get more reviews the nearer they
      // are to the start of the list, because the cube of a random number between 0 and 1 is usually small.
      const position = draw > size.reviews - size.ofHotService ? 0.5 : random() ** 3;
      const service = services[Math.floor(services.length * position)] as Service;
      const rating = random() < 0.25 ? 0 : Math.ceil(5 * random() ** 0.5);
      const voters = [...new Set(Array.from({ length: Math.floor(4 * random() ** 3) }, () => pick(strangers)))];
      const deletedAt = random() < 0.002 ? new Date(now - random() * dayMs) : null;
      if (!deletedAt) {
        service.reviewCount += 1;
        if (rating > 0) service.distribution[rating - 1] = (service.distribution[rating - 1] ?? 0) + 1;
      }
      const review = words(5 + Math.floor(60 * random()));
      return {
        _id: idAt(at),
        serviceId: service._id,
        serviceName: service.title,
        price: service.price,
        img: service.img,
        customer: 'A Customer',
        costomerImg: '',
        uid: author.uid,
        email: author.email,
        review,
        searchText: ` ${[...new Set(review.split(' '))].join(' ')}`,
        rating,
        lowestRating: rating || 6,
        awaitsReply: true,
        time: time.format(at),
        date: date.format(at),
        createdAt: at,
        updatedAt: at,
        ...(voters.length > 0 && { usefulBy: voters }),
        usefulCount: voters.length,
        deletedAt,
        requestHash: null,
      };
    },
  };
}

function toDocument(service: Service) {
  const { title, area, description, price, distribution } = service;
  const areaWords = area.split(' ').filter(Boolean);
  const titleWords = [...title.toLowerCase().split(' '), ...areaWords];
  const ratingCount = distribution.reduce((sum, count) => sum + count, 0);
  const starSum = distribution.reduce((sum, count, index) => sum + count * (index + 1), 0);
  const averageRating = ratingCount === 0 ? 0 : Math.round((starSum / ratingCount) * 100) / 100;
  return {
    ...emptyService,
    ...service,
    listerName: 'A Lister',
    listerId: null,
    updatedAt: service.createdAt,
    requestHash: null,
    hiddenAt: null,
    withdrawnAt: null,
    words: [...new Set([...titleWords, ...description.split(' ')])],
    // The API stores the beginnings of these words, and the marked words and pairs of words of the area too.
    titleWords: [
      ...new Set([...titleWords, ...titleWords.flatMap((word) => [1, 2, 3].map((end) => `${word.slice(0, end)}*`))]),
      ...[...areaWords, ...(areaWords.length > 1 ? [areaWords.toSorted().join(' ')] : [])].map((key) => `@${key}`),
    ],
    priceNumber: Number(/\d+/.exec(price)?.[0] ?? Infinity),
    ratingCount,
    averageRating,
    fullStars: Math.floor(averageRating),
    summaryVersion: 0,
    summarisedVersion: 0,
    recheckAt: null,
  };
}

/**
 * Creates an entry of the search vocabulary. The first entries are the words. The other entries are the numbers in the
 * descriptions of the services.
 */
function toVocabularyDocument(index: number): Document {
  const word = allWords[index];
  if (word === undefined) return { _id: String(index - allWords.length), deletions: [] };
  // The API stores the first seven letters without one letter, or without two letters of a word with at least eight.
  const without = (variants: string[]) =>
    variants.flatMap((variant) => Array.from(variant, (_, at) => variant.slice(0, at) + variant.slice(at + 1)));
  const start = [word.slice(0, 7)];
  const deletions = [...start, ...without(start), ...(word.length < 8 ? [] : without(without(start)))];
  return { _id: word, deletions: word.length < 4 ? [] : [...new Set(deletions)] };
}

/** Drops all indexes of the seeded collections. Returns a function that builds the same indexes. */
async function dropIndexes(db: Db): Promise<() => Promise<void>> {
  const commands: Document[] = [];
  for (const name of ['reviews', 'services', 'vocabulary']) {
    const indexes = (await db.collection(name).indexes()).filter((index) => index.name !== '_id_');
    await db.collection(name).dropIndexes();
    commands.push({ createIndexes: name, indexes });
  }
  return async () => {
    for (const command of commands) await db.command(command);
  };
}

/** Inserts rows in batches, and creates each batch while the database inserts the one before. */
async function insertRows(
  collection: Collection,
  count: number,
  create: (index: number) => Document,
  report: (step: string) => void,
): Promise<void> {
  let insertion: Promise<unknown> = Promise.resolve();
  for (let done = 0; done < count; done += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - done) }, (_, index) => create(done + index));
    await insertion;
    insertion = collection.insertMany(rows, fastInsert);
    insertion.catch(() => undefined); // Prevents an unhandled rejection. The error is handled where this promise is awaited.
    if ((done / batchSize) % 100 === 99) report(`${done} ${collection.collectionName}`);
  }
  await insertion;
  report(`${count} ${collection.collectionName}`);
}

function hex(value: number, digits: number): string {
  return Math.floor(value).toString(16).padStart(digits, '0');
}

/** Creates a uid of 28 letters and digits, like those of Firebase. */
function uidFrom(random: () => number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: 28 }, () => letters[Math.floor(random() * letters.length)]).join('');
}
