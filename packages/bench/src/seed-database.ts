import { type Db, ObjectId } from 'mongodb';
import type { Customer } from './customers.ts';

export interface Size {
  services: number;
  reviews: number;
  /** The number of reviews of the most reviewed service. All other services have far fewer. */
  ofHotService: number;
  /** The number of reviews by the customer `regular`. All other customers have far fewer. */
  byRegular: number;
}

export interface Customers {
  regular: Customer;
  newcomer: Customer;
}

const dayMs = 24 * 60 * 60_000;
const batchSize = 5000;
/** The number of reviews by the customer `newcomer`. They fill a little more than one page. */
const byNewcomer = 30;

export const equipment =
  'hood duct fan filter grill oven fryer freezer cooler boiler dishwasher mixer sink tap drain'.split(' ');
export const tasks = 'cleaning repair installation inspection replacement rental balancing rewiring'.split(' ');
export const places = 'restaurants canteens bakeries hotels cafes hospitals schools caterers'.split(' ');
export const otherWords =
  'the a our we it was is very not so and but with without after before they came on time late early quick slow honest careful clean dirty loud quiet grease smoke steam heat cold water price fair high again kitchen night week chef cook staff friendly helpful call phone visit work done well badly never always'.split(
    ' ',
  );

/**
 * Fills an empty, migrated database with realistic data. The reviews are ordered by time, and a few services have most of
 * the reviews. Every run creates the same rows, but with different ids. The validators of the database check each row. The
 * services are not in the search index until `migrate` runs.
 */
export async function seedDatabase(
  db: Db,
  size: Size,
  { regular, newcomer }: Customers,
  say: (line: string) => void,
): Promise<void> {
  const random = seededRandom(1);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const words = (count: number) =>
    Array.from({ length: count }, () => pick(random() < 0.15 ? equipment : otherWords)).join(' ');
  const now = Date.now();
  const start = now - 3 * 365 * dayMs;
  const fastInsert = { ordered: false, writeConcern: { w: 1, journal: false } } as const;
  let ids = 0;
  const idAt = (at: Date) =>
    new ObjectId(hex(at.getTime() / 1000, 8) + hex(random() * 2 ** 40, 10) + hex((ids += 1) % 2 ** 24, 6));
  const strangers = Array.from({ length: Math.ceil(size.reviews / 5) }, () => uidFrom(random));

  const services = Array.from({ length: size.services }, (_, index) => {
    const at = new Date(start - dayMs + (index * 365 * dayMs) / size.services);
    const title = `${pick(equipment)} ${pick(tasks)} for ${pick(places)}`;
    // Each of these two search words is in half of the services, but only one service in 5,000 has both.
    const where = index % 5000 === 0 ? 'home away' : index % 2 === 0 ? 'home' : 'away';
    const description = `${words(12)} ${pick(tasks)} ${pick(places)} ${where} number ${index}`;
    return {
      _id: idAt(at),
      title: title.charAt(0).toUpperCase() + title.slice(1),
      ratting: (3 + 2 * random()).toFixed(1),
      img: `https://pictures.example/${index}.jpg`,
      price: random() < 0.1 ? 'on request' : `from $${Math.floor(20 + 2000 * random() ** 3)}`,
      description,
      createdAt: at,
      createdBy: pick(strangers),
      requestHash: null,
      words: [...new Set(`${title} ${description}`.split(' '))],
      priceNumber: 0,
      reviewCount: 0,
      ratingCount: 0,
      averageRating: 0,
      distribution: [0, 0, 0, 0, 0],
      summaryVersion: 0,
      summarisedVersion: 0,
      recheckAt: null,
    };
  });
  for (const service of services) service.priceNumber = Number(/\d+/.exec(service.price)?.[0] ?? Infinity);
  const hot = services[Math.floor(size.services / 2)] as (typeof services)[number];

  const startedAt = performance.now();
  for (let done = 0; done < size.reviews; done += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, size.reviews - done) }, (_, index) => review(done + index));
    await db.collection('reviews').insertMany(rows, fastInsert);
    if ((done / batchSize) % 20 === 19) say(`  ${done + rows.length} reviews after ${seconds(startedAt)}`);
  }
  for (let done = 0; done < services.length; done += batchSize)
    await db.collection('services').insertMany(services.slice(done, done + batchSize), fastInsert);
  say(`  ${services.length} services after ${seconds(startedAt)}`);

  function review(index: number) {
    const at = new Date(start + (index / size.reviews) * (now - start - dayMs));
    const draw = random() * size.reviews;
    const author =
      draw < size.byRegular
        ? regular
        : draw < size.byRegular + byNewcomer
          ? newcomer
          : { uid: pick(strangers), email: 'somebody@kitchen.example' };
    // The cube of a random number between 0 and 1 is usually small. So the services at the start of the list get the most
    // reviews.
    const service =
      draw > size.reviews - size.ofHotService
        ? hot
        : (services[Math.floor(services.length * random() ** 3)] as (typeof services)[number]);
    const rating = random() < 0.25 ? 0 : Math.ceil(5 * random() ** 0.5);
    const voters = [...new Set(Array.from({ length: Math.floor(4 * random() ** 3) }, () => pick(strangers)))];
    const deletedAt = random() < 0.002 ? new Date(now - random() * dayMs) : null;
    if (!deletedAt) {
      service.reviewCount += 1;
      if (rating > 0) {
        service.ratingCount += 1;
        service.distribution[rating - 1] = (service.distribution[rating - 1] ?? 0) + 1;
        const stars = service.distribution.reduce((sum, count, at) => sum + count * (at + 1), 0);
        service.averageRating = Math.round((stars / service.ratingCount) * 100) / 100;
      }
    }
    return {
      _id: idAt(at),
      serviceId: service._id,
      serviceName: service.title,
      price: service.price,
      img: service.img,
      customer: 'A Customer',
      costomerImg: '',
      ...author,
      review: words(5 + Math.floor(60 * random())),
      rating,
      lowestRating: rating || 6,
      awaitsReply: true,
      time: at.toLocaleTimeString('en-US'),
      date: at.toLocaleDateString('en-US'),
      createdAt: at,
      updatedAt: at,
      ...(voters.length > 0 && { usefulBy: voters }),
      usefulCount: voters.length,
      deletedAt,
      requestHash: null,
    };
  }
}

function hex(value: number, digits: number): string {
  return Math.floor(value).toString(16).padStart(digits, '0');
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(0)} s`;
}

/** Creates a uid of 28 letters and digits, like those of Firebase. */
function uidFrom(random: () => number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: 28 }, () => letters[Math.floor(random() * letters.length)]).join('');
}

/** Generates pseudorandom numbers from 0 to 1 (mulberry32). The same seed gives the same sequence. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
