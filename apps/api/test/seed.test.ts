import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Review, Service } from '@rtr/shared';
import sharp from 'sharp';
import { assert, beforeAll, describe, expect, inject, it } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { getCollections } from '../src/database/collections.ts';
import { runSeed } from '../src/run-seed.ts';
import { catalogue } from '../src/seed/catalogue.ts';
import { seedAuthors, seedReviews } from '../src/seed/reviews.ts';
import { bearer } from './support/bearer.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { runProgram } from './support/run-program.ts';
import { createTestApp } from './support/test-app.ts';

const { api, db, config, signIn } = await createTestApp();
const collections = getCollections(db);
const day = 24 * 60 * 60_000;

const env = {
  PATH: process.env.PATH,
  MONGODB_URI: config.mongodbUri,
  MONGODB_DATABASE: config.mongodbDatabase,
  FIREBASE_AUTH_EMULATOR_HOST: inject('authEmulatorHost'),
  WEB_ORIGINS: 'http://web.example:3000,http://other.example',
};

const seed = ({ shouldReset = false, ...more }: { shouldReset?: boolean; WEB_ORIGINS?: string } = {}) =>
  runSeed(loadConfig({ ...env, ...more }), { shouldReset });

const spawn = (name: 'seed' | 'migrate', args: string[] = [], more: Record<string, string> = {}) =>
  runProgram(name, args, { ...env, ...more });
const errorsOf = async (running: ReturnType<typeof spawn>) => {
  const { code, stderr } = await running;
  expect(code).toBe(1);
  return stderr;
};

const counts = async () => ({
  services: await collections.services.countDocuments(),
  reviews: await collections.reviews.countDocuments(),
});
const everything = { services: catalogue.length, reviews: seedReviews.length };

let stdout: string;
beforeAll(async () => {
  // Two processes add the demonstration at the same time.
  [{ stdout }] = await Promise.all([spawn('seed'), seed()]);
});

describe('the demonstration', () => {
  it('has each row once, even if several processes add it at the same time or one after the other', async () => {
    expect(await counts()).toEqual(everything);
    await seed();
    expect(await counts()).toEqual(everything);
  });

  it('has the services in the order of the catalogue, and prints the logins of the demo customers', async () => {
    expect(stdout).toContain('amira@demo.example, password kitchen-demo-1');

    const services = (await readAllPages<Service>(api, '/services?limit=20')).flat();
    expect(services.map(({ title }) => title)).toEqual(catalogue.map(({ title }) => title).toReversed());
    for (const { img } of services) expect(img).toMatch(/^http:\/\/web\.example:3000\/pictures\/[\w-]+\.svg$/);
    const age = (createdAt: string) => Date.now() - Date.parse(createdAt);
    expect(age(services.at(-1)?.createdAt ?? '')).toBeGreaterThan(365 * day);
    expect(age(services[0]?.createdAt ?? '')).toBeGreaterThan(0);

    for (const { _id, createdAt, reviewCount, averageRating } of services) {
      const reviews = (await api.get(`/allreview?serviceId=${_id}`).expect(200)).body as Review[];
      expect(reviewCount).toBe(reviews.length);
      expect(averageRating === null).toBe(reviews.every(({ rating }) => rating === undefined));
      for (const review of reviews) {
        expect(review.createdAt > createdAt).toBe(true);
        expect(age(review.updatedAt)).toBeGreaterThan(0);
        expect(review.date).toMatch(/^\d{1,2}\/\d{1,2}\/\d{4}$/);
        expect(review.time).toMatch(/^\d{1,2}:\d{2}:\d{2}\s[AP]M$/);
        expect(review.costomerImg).toMatch(/^$|^http:\/\/web\.example:3000\/pictures\/avatar-\d\.svg$/);
      }
    }
    const edited = await collections.reviews.countDocuments({ $expr: { $gt: ['$updatedAt', '$createdAt'] } });
    expect(edited).toBe(seedReviews.filter(({ editedDaysAgo }) => editedDaysAgo !== undefined).length);
  });

  it('names only pictures that the web app has, each a valid SVG of at most 15 KB without scripts and links', async () => {
    const files = [
      ...catalogue.map(({ slug }) => `${slug}.svg`),
      ...Object.values(seedAuthors).map((it) => it.pictureFile),
    ];
    // The API blocks SVG, because it rejects uploads of it.
    sharp.unblock({ operation: ['VipsForeignLoadSvgBuffer'] });
    for (const file of new Set(files.filter((file) => file !== ''))) {
      const picture = await readFile(new URL(`../../web/public/pictures/${file}`, import.meta.url));
      expect(picture.byteLength, file).toBeLessThanOrEqual(15_000);
      expect(await sharp(picture).metadata(), file).toMatchObject({ format: 'svg' });
      expect(String(picture), file).not.toMatch(
        /<(?:script|style|foreignObject|image|use|a|!DOCTYPE)\b|\bon\w+\s*=|\bhref\s*=|url\((?!#)/i,
      );
    }
  });

  it('adds an open report, and a review that a moderator has hidden', async () => {
    const cases = await collections.cases.find().sort({ status: -1 }).toArray();
    expect(cases.map(({ status, history }) => [status, history.length])).toEqual([
      ['open', 0],
      ['closed', 1],
    ]);
    expect(await collections.reviews.countDocuments({ 'hidden.reason': /another business/ })).toBe(1);
    const { email, password = '' } = seedAuthors.nadia ?? assert.fail();
    const { body } = await api
      .post('/jwt')
      .set(bearer(await signIn({ email, password })))
      .send({ email })
      .expect(200);
    expect((await api.get('/moderation').set(bearer(body.token)).expect(200)).body).toHaveLength(1);
  });

  it('creates customers who can log in and find their reviews', async () => {
    for (const { uid, email, password } of Object.values(seedAuthors)) {
      if (password === undefined) continue;
      const idToken = await signIn({ email, password });
      const { body } = await api.post('/jwt').set(bearer(idToken)).send({ email }).expect(200);
      const { headers } = await api.get(`/review?email=${email}&limit=1`).set(bearer(body.token)).expect(200);
      expect(Number(headers['x-total-count'])).toBe(await collections.reviews.countDocuments({ uid }));
      expect(Number(headers['x-total-count'])).toBeGreaterThan(0);
    }
  });

  it('adds votes of several customers, including the demo customers, but no votes of customers for their own reviews', async () => {
    const all = await collections.reviews.find().toArray();
    for (const { uid, usefulBy = [], usefulCount } of all) {
      expect(usefulBy).not.toContain(uid);
      expect(new Set(usefulBy).size).toBe(usefulCount);
    }
    expect(new Set(all.map(({ usefulCount }) => usefulCount)).size).toBeGreaterThan(3);
    for (const key of ['amira', 'jonas'])
      expect(all.filter(({ usefulBy }) => usefulBy?.includes(seedAuthors[key]?.uid ?? '')).length).toBeGreaterThan(3);
  });

  it('gives the demo customers services with contact fields and facts, and adds no review of a service by its own lister', async () => {
    for (const key of ['amira', 'jonas']) {
      const { uid, name } = seedAuthors[key] ?? assert.fail();
      const listed = await collections.services.find({ createdBy: uid }).toArray();
      expect(listed.length).toBeGreaterThan(0);
      for (const { listerName, phone } of listed) {
        expect(listerName).toBe(name);
        expect(phone).toMatch(/^\+1 555 01\d\d$/);
      }
      expect(listed.some(({ hours, licence, insured }) => hours && licence && insured)).toBe(true);
    }
    for (const { slug, lister } of catalogue)
      expect(seedReviews.filter(({ service, author }) => service === slug && author === lister)).toEqual([]);
  });

  it('gives nearly every service one of eight areas, and two thirds a phone number or a website', () => {
    const areas = catalogue.flatMap(({ area }) => area ?? []);
    expect(areas.length / catalogue.length).toBeGreaterThan(0.9);
    expect(new Set(areas).size).toBe(8);
    const reachable = catalogue.filter(({ phone, website }) => phone !== undefined || website !== undefined);
    expect(reachable.length / catalogue.length).toBeCloseTo(2 / 3);
  });
});

// Each of these tests starts with the rows that the test before it has left.
describe('the seed command', () => {
  it('inserts the missing rows after a run that was killed', async () => {
    await db.collection('seeds').deleteMany({});
    await collections.reviews.deleteMany({ uid: 'demo-amira' });
    await collections.services.deleteOne({ title: catalogue[3]?.title ?? '' });
    await seed();
    expect(await counts()).toEqual(everything);
  });

  it('updates the picture URLs when the web app has another origin', async () => {
    const elsewhere = /^http:\/\/web\.example:4000\/pictures\//;
    const given = 'https://pictures.example/pictures/own.svg';
    await collections.services.updateOne({ title: catalogue[0]?.title ?? '' }, { $set: { img: given } });
    await seed({ WEB_ORIGINS: 'http://web.example:4000' });
    expect(await collections.services.countDocuments({ img: elsewhere })).toBe(everything.services - 1);
    expect(await collections.services.countDocuments({ img: given })).toBe(1);
    expect(await collections.reviews.countDocuments({ img: elsewhere })).toBe(everything.reviews);
    expect(await collections.reviews.countDocuments({ costomerImg: /web\.example:3000/ })).toBe(0);
    await seed();
    expect(await collections.services.countDocuments({ img: elsewhere })).toBe(0);
  });

  it('does not recreate accounts that customers have deleted', async () => {
    const { email, password = '', uid } = seedAuthors.jonas ?? assert.fail();
    const idToken = await signIn({ email, password });
    await api.delete('/account').set(bearer(idToken)).expect(200);
    await seed();
    await expect(signIn({ email, password })).rejects.toThrow(/EMAIL_NOT_FOUND|INVALID/);
    expect(await collections.reviews.countDocuments({ uid })).toBe(0);
  });

  it('does not change or restore rows that were edited or deleted since the first run', async () => {
    const before = await counts();
    await collections.services.deleteOne({ title: catalogue[0]?.title ?? '' });
    await collections.reviews.updateMany({}, { $set: { review: 'Edited' } });
    await seed();
    expect(await counts()).toEqual({ ...before, services: before.services - 1 });
    expect(await collections.reviews.countDocuments({ review: 'Edited' })).toBe(before.reviews);
  });

  it('with --reset deletes everything in a demo database first, and rejects other databases', async () => {
    await collections.reviews.updateMany({}, { $set: { review: 'Edited' } });
    await collections.accounts.insertOne({ _id: 'demo-amira', deletedAt: new Date(), finishedAt: null });
    await seed({ shouldReset: true });
    expect(await counts()).toEqual(everything);
    expect(await collections.reviews.countDocuments({ review: 'Edited' })).toBe(0);
    expect(await collections.accounts.countDocuments()).toBe(0);
    expect(await errorsOf(spawn('seed', ['--reset'], { MONGODB_DATABASE: 'kitchen' }))).toContain('must end in _demo');
  });

  it('does not run with a real Firebase project', async () => {
    const before = await counts();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const account = { project_id: 'real', client_email: 'a@b.example', private_key };
    const real = {
      AUTH_MODE: 'firebase',
      FIREBASE_AUTH_EMULATOR_HOST: '',
      FIREBASE_SERVICE_ACCOUNT: JSON.stringify(account),
    };
    expect(await errorsOf(spawn('seed', [], real))).toContain('AUTH_MODE=emulator');
    expect(await counts()).toEqual(before);
  });
});

it('the migrate command lists all invalid variables and exits with 1', async () => {
  const output = await errorsOf(spawn('migrate', [], { PORT: 'x', MONGODB_URI: 'http://x' }));
  expect(output).toContain('PORT');
  expect(output).toContain('MONGODB_URI');
});
