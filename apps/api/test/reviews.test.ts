import type { OwnReview, Review, ReviewInput } from '@rtr/shared';
import { Collection, ObjectId } from 'mongodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { hiddenDeletedAt, type ReviewDocument } from '../src/database/documents/reviews.ts';
import { bearer } from './support/bearer.ts';
import { beforeNext } from './support/before-next.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { minutesAgo } from './support/minutes-ago.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { nextPagePath } from './support/references.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, db, stores, signUp } = await createTestApp();
const { reviews } = getCollections(db);

let lena: TestCustomer;
let omar: TestCustomer;
beforeAll(async () => {
  lena = await signUp({ name: 'Lena Fitter', picture: 'https://pictures.example/lena.jpg' });
  omar = await signUp({ name: 'Omar' });
});

let serviceId: string;
const facts = { title: 'Hood repair', price: 'from $90', img: 'https://pictures.example/hood.svg' };
beforeEach(async () => {
  await reviews.deleteMany();
  serviceId = await addService(facts);
});

async function addService(fields: { title: string; price?: string; img?: string }): Promise<string> {
  const input = { ...blankService, ...fields };
  return (await stores.services.insert(someLister, input)).insertedId;
}

const post = (author: TestCustomer, body: object) => api.post('/review').set(bearer(author)).send(body);

async function write(author: TestCustomer, input: Partial<ReviewInput> = {}): Promise<string> {
  const { body } = await post(author, { serviceId, review: 'Well done', ...input }).expect(201);
  return body.insertedId;
}

const stored = (id: string) => reviews.findOne({ _id: new ObjectId(id) });
const service = async () => (await api.get(`/services/${serviceId}`).expect(200)).body;
const reviewsOf = async (query = '') =>
  (await api.get(`/allreview?serviceId=${serviceId}${query}`).expect(200)).body as Review[];
const texts = (list: Review[]) => list.map(({ review }) => review);

afterEach(() => {
  vi.restoreAllMocks();
});

describe('POST /review', () => {
  it('stores a review with the author from the token, and title, price and picture from the stored service', async () => {
    const input = {
      serviceId,
      serviceName: 'A service of my own invention',
      price: '$0',
      customer: 'The President',
      email: lena.email,
      review: 'Came on time.\nLeft no crumbs.',
      rating: 5,
      img: 'https://elsewhere.example/hood.svg',
      costomerImg: 'https://elsewhere.example/me.jpg',
      time: '3:04:05 PM',
      date: '1/2/2026',
    };
    const { body, headers } = await post(lena, input).expect(201);
    expect(body).toEqual({ acknowledged: true, insertedId: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect(headers.location).toBe(`review/${body.insertedId}`);
    const [review] = await reviewsOf();
    expect(review).toEqual({
      _id: body.insertedId,
      serviceId,
      serviceName: 'Hood repair',
      price: 'from $90',
      img: 'https://pictures.example/hood.svg',
      customer: 'Lena Fitter',
      costomerImg: 'https://pictures.example/lena.jpg',
      review: 'Came on time.\nLeft no crumbs.',
      rating: 5,
      time: '3:04:05 PM',
      date: '1/2/2026',
      createdAt: expect.any(String),
      updatedAt: review?.createdAt,
      usefulCount: 0,
    });
    expect(await stored(body.insertedId)).toMatchObject({ uid: lena.uid, email: lena.email });
  });

  it('accepts the picture URL of the service as `img`, even if the host of this URL is private', async () => {
    const img = 'http://192.168.1.1/hood.svg';
    serviceId = await addService({ title: 'Listed long ago', img });
    await post(lena, { serviceId, review: 'Well done', img, costomerImg: 'http://localhost:3000/me.jpg' }).expect(201);
    expect(await reviewsOf()).toMatchObject([{ img, costomerImg: 'https://pictures.example/lena.jpg' }]);
  });

  it('updates the review count and the stars of the service at once', async () => {
    await write(lena, { rating: 4 });
    await write(omar, { rating: 5 });
    await write(omar, { review: 'And one word more' });
    expect(await service()).toMatchObject({
      reviewCount: 3,
      ratingCount: 2,
      averageRating: 4.5,
      distribution: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 1 },
    });
  });

  it('accepts a review without text, stars, date and time', async () => {
    const { body } = await post(lena, { serviceId }).expect(201);
    const [review] = await reviewsOf();
    expect(review).toMatchObject({ _id: body.insertedId, review: '', time: '', date: '' });
    expect(review).not.toHaveProperty('rating');
  });

  it.each([
    ['markup', '<img src=x onerror=alert(1)><script>alert(1)</script>'],
    ['5,000 characters', 'x'.repeat(5000)],
    ['5,000 characters outside ASCII', 'ü清'.repeat(2500)],
    ['spaces, line breaks and a NUL', '  \t\r\n a \u0000 \u202E b \n '],
    ['combining characters', 'e\u0301 é 👩‍👩‍👧 🇩🇪 \u200D'],
    ['a MongoDB operator', '{"$gt":""} $where ../../'],
  ])('stores %s exactly as sent', async (_, review) => {
    const id = await write(lena, { review });
    expect((await api.get(`/review/${id}`).expect(200)).body.review).toBe(review);
    await api
      .patch(`/review/${id}`)
      .set(bearer(lena))
      .send({ review: `${review.slice(1)}!` })
      .expect(200);
    expect(texts(await reviewsOf())).toEqual([`${review.slice(1)}!`]);
  });

  it('ignores case and surrounding spaces of the email address', async () => {
    const id = await write(lena, { email: `  ${lena.email.toUpperCase()} ` });
    expect((await stored(id))?.email).toBe(lena.email);
  });

  it('returns 403 for the email address of another customer, and stores nothing', async () => {
    const { body } = await post(lena, { serviceId, review: 'x', email: omar.email }).expect(403);
    expect(body.detail).toBe(
      'The email in the review is not the one that you are logged in with. Reload the page and send the review again.',
    );
    await post(lena, { serviceId, review: 'x', email: '' }).expect(403);
    expect(await reviews.countDocuments()).toBe(0);
  });

  it('returns 404 for an unknown service, and stores nothing', async () => {
    await post(lena, { serviceId: new ObjectId().toHexString() }).expect(404);
    expect(await reviews.countDocuments()).toBe(0);
  });

  it.each([
    ['no service', { serviceId: undefined }],
    ['a malformed service id', { serviceId: '1' }],
    ['a MongoDB operator as the service id', { serviceId: { $ne: '' } }],
    ['_id', { _id: '0123456789abcdef01234567' }],
    ['uid', { uid: 'demo-amira' }],
    ['createdBy', { createdBy: 'demo-amira' }],
    ['createdAt', { createdAt: '2020-01-01T00:00:00.000Z' }],
    ['deletedAt', { deletedAt: null }],
    ['an unknown field', { helpful: 1 }],
    ['a MongoDB operator', { $set: { review: 'x' } }],
    ['a MongoDB operator as a text', { review: { $gt: '' } }],
    ['a text of 5,001 characters', { review: 'x'.repeat(5001) }],
    ['a time of 41 characters', { time: 'x'.repeat(41) }],
    ['a date of 41 characters', { date: 'x'.repeat(41) }],
    ['0 stars', { rating: 0 }],
    ['6 stars', { rating: 6 }],
    ['4.5 stars', { rating: 4.5 }],
    ['stars as a text', { rating: '5' }],
    ['null stars', { rating: null }],
    ['a picture with a javascript: URL', { costomerImg: 'javascript:alert(1)' }],
    ['a picture with a data: URL', { img: 'data:image/svg+xml,<svg/>' }],
  ])('returns 400 for a body with %s, and stores nothing', async (_, input) => {
    const { body } = await post(lena, { serviceId, review: 'x', ...input }).expect(400);
    expect(body.errors[0].path).toMatch(/^body/);
    expect(await reviews.countDocuments()).toBe(0);
  });

  it('returns 400 for a field with the name __proto__', async () => {
    await post(lena, {})
      .set('Content-Type', 'application/json')
      .send(`{"serviceId":"${serviceId}","__proto__":{"uid":"demo-amira"}}`)
      .expect(400);
    expect(await reviews.countDocuments()).toBe(0);
  });

  describe('with an Idempotency-Key', () => {
    const keyed = (author: TestCustomer, key: string, body: object) =>
      post(author, { serviceId, ...body }).set('Idempotency-Key', key);

    it('inserts one row for 50 concurrent requests that differ only in `time`, and returns the same response to each', async () => {
      const responses = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          keyed(lena, 'draft-1', { review: 'Once', rating: 4, time: `${index}` }).expect(201),
        ),
      );
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      expect(texts(await reviewsOf())).toEqual(['Once']);
      expect(await service()).toMatchObject({ reviewCount: 1, ratingCount: 1, averageRating: 4 });
    });

    it('returns 422 with the location of the first review when the key is repeated with another text or other stars', async () => {
      const { body: first } = await keyed(lena, 'draft-2', { review: 'First', rating: 4 }).expect(201);
      for (const other of [{ review: 'Second', rating: 4 }, { review: 'First', rating: 5 }, { review: 'First' }]) {
        const { body, headers } = await keyed(lena, 'draft-2', other).expect(422);
        expect(body.detail).toContain(first.insertedId);
        expect(headers.location).toBe(`review/${first.insertedId}`);
      }
      expect(texts(await reviewsOf())).toEqual(['First']);
    });

    it('returns the first response again after the review was edited, and keeps the edit', async () => {
      const { body: first } = await keyed(lena, 'draft-3', { review: 'First' }).expect(201);
      await api.patch(`/review/${first.insertedId}`).set(bearer(lena)).send({ review: 'Edited' }).expect(200);
      expect((await keyed(lena, 'draft-3', { review: 'First' }).expect(201)).body).toEqual(first);
      expect(texts(await reviewsOf())).toEqual(['Edited']);
    });

    it('returns the first response again after the review was deleted, and does not restore the review', async () => {
      const { body: first } = await keyed(lena, 'draft-4', { review: 'First' }).expect(201);
      await api.delete(`/review/${first.insertedId}`).set(bearer(lena)).expect(200);
      expect((await keyed(lena, 'draft-4', { review: 'First' }).expect(201)).body).toEqual(first);
      expect(await reviewsOf()).toEqual([]);
    });

    it('returns the first response again after the service was withdrawn', async () => {
      const { body: added } = await api.post('/services').set(bearer(omar)).send({ title: 'Hood' }).expect(201);
      serviceId = added.insertedId;
      const { body: first } = await keyed(lena, 'draft-6', { review: 'First' }).expect(201);
      await api.delete(`/services/${serviceId}`).set(bearer(omar)).expect(200);
      expect((await keyed(lena, 'draft-6', { review: 'First' }).expect(201)).body).toEqual(first);
      await keyed(lena, 'draft-7', { review: 'Second' }).expect(404);
    });

    it('treats the same key of different customers or services as different keys', async () => {
      const { body: a } = await keyed(lena, 'draft-5', { review: 'Same' }).expect(201);
      const { body: b } = await keyed(omar, 'draft-5', { review: 'Same' }).expect(201);
      serviceId = await addService({ title: 'Another' });
      const { body: c } = await keyed(lena, 'draft-5', { review: 'Same' }).expect(201);
      expect(new Set([a.insertedId, b.insertedId, c.insertedId]).size).toBe(3);
    });
  });
});

describe('GET /allreview', () => {
  it('returns all reviews of the service, newest first, without email addresses and uids', async () => {
    const other = await addService({ title: 'Other' });
    await write(lena, { review: 'one' });
    await write(omar, { review: 'two' });
    await write(omar, { review: 'elsewhere', serviceId: other });
    const list = await reviewsOf();
    expect(texts(list)).toEqual(['two', 'one']);
    expect(JSON.stringify(list)).not.toContain(lena.uid);
    expect(JSON.stringify(list)).not.toContain('@');
  });

  it('returns an empty array for an unknown service', async () => {
    expect((await api.get(`/allreview?serviceId=${new ObjectId().toHexString()}`).expect(200)).body).toEqual([]);
  });

  describe('pages', () => {
    beforeEach(async () => {
      const ratings = [3, undefined, 5, 1, 3, undefined, 5];
      for (const [index, rating] of ratings.entries())
        await write(index % 2 ? lena : omar, { review: `${index}`, ...(rating && { rating }) });
    });

    it.each([
      ['', ['6', '5', '4', '3', '2', '1', '0']],
      ['&sort=newest', ['6', '5', '4', '3', '2', '1', '0']],
      // The reviews '5' and '1' have no stars. They are last in both orders by stars.
      ['&sort=highest', ['6', '2', '4', '0', '3', '5', '1']],
      ['&sort=lowest', ['3', '4', '0', '6', '2', '5', '1']],
      ['&rating=5', ['6', '2']],
      ['&rating=5&sort=lowest', ['6', '2']],
      ['&rating=2', []],
    ])(
      'with the parameters “limit=2%s” together contain exactly the reviews %j, in this order',
      async (query, order) => {
        const path = `/allreview?serviceId=${serviceId}${query}`;
        const pages = await readAllPages<Review>(api, `${path}&limit=2`);
        expect(texts(pages.flat())).toEqual(order);
        const { headers } = await api.get(`${path}&limit=2`).expect(200);
        expect(headers['x-total-count']).toBe(String(order.length));
      },
    );

    it('return 400 for a cursor from the list of another service, or from a list with another order or filter by stars', async () => {
      const path = `/allreview?serviceId=${serviceId}&limit=1`;
      const { headers } = await api.get(`${path}&sort=highest`).expect(200);
      const after = new URLSearchParams(/\?([^>]*)>/.exec(headers.link ?? '')?.[1]).get('after') ?? '';
      const other = await addService({ title: 'Other' });
      await api.get(`${path}&sort=highest&after=${after}`).expect(200);
      await api.get(`${path}&sort=lowest&after=${after}`).expect(400);
      await api.get(`${path}&after=${after}`).expect(400);
      await api.get(`${path}&sort=highest&rating=5&after=${after}`).expect(400);
      await api.get(`/allreview?serviceId=${other}&limit=1&sort=highest&after=${after}`).expect(400);
    });
  });

  describe('with “q” or “photos”', () => {
    beforeEach(async () => {
      await write(lena, { review: 'Sie putzten die Küchenhaube gründlich.', rating: 4 });
      await write(omar, { review: 'The hood is quiet now. Fast repair!', rating: 5 });
      const withPhoto = await write(lena, { review: 'Quick repairs of our HOOD', rating: 5 });
      const photos = [{ url: '/pictures/upload/1.jpg', alt: '' }];
      await reviews.updateOne({ _id: new ObjectId(withPhoto) }, { $set: { photos } });
      const deleted = await write(omar, { review: 'hood repair' });
      await api.delete(`/review/${deleted}`).set(bearer(omar)).expect(200);
      const edited = await write(omar, { review: 'hood repair' });
      await api.patch(`/review/${edited}`).set(bearer(omar)).send({ review: 'They never came' }).expect(200);
    });

    it.each([
      ['q=hood', ['Quick repairs of our HOOD', 'The hood is quiet now. Fast repair!']],
      ['q=REPAIR%20hoo', ['Quick repairs of our HOOD', 'The hood is quiet now. Fast repair!']],
      ['q=repairs', ['Quick repairs of our HOOD']],
      ['q=kuchen', ['Sie putzten die Küchenhaube gründlich.']],
      ['q=hood%20never', []],
      [
        'q=.*',
        [
          'They never came',
          'Quick repairs of our HOOD',
          'The hood is quiet now. Fast repair!',
          'Sie putzten die Küchenhaube gründlich.',
        ],
      ],
      ['photos=1', ['Quick repairs of our HOOD']],
      ['photos=1&q=came', []],
      ['q=repair&rating=5', ['Quick repairs of our HOOD', 'The hood is quiet now. Fast repair!']],
      ['q=repair&sort=highest', ['Quick repairs of our HOOD', 'The hood is quiet now. Fast repair!']],
    ])('returns for “%s” the reviews %j in pages, and their number', async (query, found) => {
      const path = `/allreview?serviceId=${serviceId}&${query}`;
      const pages = await readAllPages<Review>(api, `${path}&limit=1`);
      expect(texts(pages.flat())).toEqual(found);
      const { headers, body } = await api.get(path).expect(200);
      expect(headers['x-total-count']).toBe(String(found.length));
      for (const review of body) expect(review).not.toHaveProperty('searchText');
    });
  });

  it.each([
    '',
    'serviceId=',
    'serviceId=1',
    'serviceId[$ne]=1',
    'serviceId=0123456789abcdef01234567&serviceId=0123456789abcdef01234567',
    'serviceId=0123456789abcdef01234567&rating=0',
    'serviceId=0123456789abcdef01234567&rating=6',
    'serviceId=0123456789abcdef01234567&rating=05',
    'serviceId=0123456789abcdef01234567&photos=0',
    'serviceId=0123456789abcdef01234567&rating[$gt]=1',
    'serviceId=0123456789abcdef01234567&sort=rating',
    'serviceId=0123456789abcdef01234567&limit=0',
    'serviceId=0123456789abcdef01234567&email=a@b.example',
    'serviceId=0123456789abcdef01234567&__proto__=x',
  ])('returns 400 for the query string "%s"', async (query) => {
    await api.get(`/allreview?${query}`).expect(400);
  });
});

describe('GET /review?email=', () => {
  const own = (author: TestCustomer, email: string, query = '') =>
    api.get(`/review?email=${encodeURIComponent(email)}${query}`).set(bearer(author));

  it('returns the reviews of the customer, newest first, with the email address of the customer', async () => {
    await write(lena, { review: 'one' });
    await write(omar, { review: 'not mine' });
    await write(lena, { review: 'two', serviceId: await addService({ title: 'Other' }) });
    const { body } = await own(lena, lena.email).expect(200);
    expect((body as OwnReview[]).map(({ review, email }) => [review, email])).toEqual([
      ['two', lena.email],
      ['one', lena.email],
    ]);
  });

  it('supports pages and a filter by service', async () => {
    for (const review of ['a', 'b', 'c']) await write(lena, { review });
    await write(omar, { review: 'not mine' });
    await write(lena, { review: 'elsewhere', serviceId: await addService({ title: 'Other' }) });
    const path = `/review?email=${lena.email}&serviceId=${serviceId}&limit=2`;
    const first = await api.get(path).set(bearer(lena)).expect(200);
    expect(texts(first.body)).toEqual(['c', 'b']);
    expect(first.headers['x-total-count']).toBe('3');
    const next = nextPagePath(path, first.headers) ?? '';
    expect(texts((await api.get(next).set(bearer(lena)).expect(200)).body)).toEqual(['a']);
    const after = new URL(next, 'http://api.example').searchParams.get('after') ?? '';
    await own(omar, omar.email, `&serviceId=${serviceId}&limit=2&after=${after}`).expect(400);
  });

  it('ignores case and surrounding spaces of the email address', async () => {
    await write(lena, { review: 'one' });
    expect((await own(lena, ` ${lena.email.toUpperCase()} `).expect(200)).body).toHaveLength(1);
  });

  it('returns 403 for the email address of another customer', async () => {
    await write(omar);
    const { body } = await own(lena, omar.email).expect(403);
    expect(JSON.stringify(body)).not.toContain(omar.uid);
  });

  it('selects reviews by uid, so that reviews of another account with the same email address are excluded', async () => {
    const id = await write(omar);
    await reviews.updateOne({ _id: new ObjectId(id) }, { $set: { email: lena.email } });
    expect((await own(lena, lena.email).expect(200)).body).toEqual([]);
  });

  it.each(['', 'email=', 'email[$ne]=', 'email[]=x', 'email=a&email=b', 'email=a&uid=b', 'email=a&__proto__=b'])(
    'returns 400 for the query string "%s"',
    async (query) => {
      await api.get(`/review?${query}`).set(bearer(lena)).expect(400);
    },
  );
});

describe('GET /review/:id', () => {
  it('returns the email address only to the author of the review', async () => {
    const id = await write(lena);
    expect((await api.get(`/review/${id}`).set(bearer(lena)).expect(200)).body.email).toBe(lena.email);
    expect((await api.get(`/review/${id}`).set(bearer(omar)).expect(200)).body).not.toHaveProperty('email');
    expect((await api.get(`/review/${id}`).expect(200)).body).not.toHaveProperty('email');
  });

  it('returns 404 for an id that no review has', async () => {
    await api.get(`/review/${new ObjectId().toHexString()}`).expect(404);
  });

  it.each(['1', '%00', '__proto__', '$where'])('returns 404 for the invalid id %s', async (id) => {
    await api.get(`/review/${id}`).expect(404);
  });
});

describe('PATCH /review/:id', () => {
  const patch = (author: TestCustomer, id: string, body: object) =>
    api.patch(`/review/${id}`).set(bearer(author)).send(body);

  it('changes the text and `updatedAt`', async () => {
    const id = await write(lena, { review: 'First', rating: 3, time: 't', date: 'd' });
    const before = await stored(id);
    const { body } = await patch(lena, id, { review: 'Second' }).expect(200);
    expect(body).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    const after = await stored(id);
    expect(after).toEqual({ ...before, review: 'Second', searchText: ' second', updatedAt: after?.updatedAt });
    expect(after?.updatedAt.getTime()).toBeGreaterThan(after?.createdAt.getTime() ?? Infinity);
  });

  it('changes, adds or removes the stars, and updates the average of the service', async () => {
    const id = await write(lena);
    await patch(lena, id, { rating: 2 }).expect(200);
    expect(await service()).toMatchObject({ ratingCount: 1, averageRating: 2 });
    await patch(lena, id, { rating: 5, review: 'Better' }).expect(200);
    expect(await service()).toMatchObject({ averageRating: 5 });
    expect(texts(await reviewsOf('&rating=5'))).toEqual(['Better']);
    await patch(lena, id, { rating: null }).expect(200);
    expect(await service()).toMatchObject({ reviewCount: 1, ratingCount: 0, averageRating: null });
    expect((await reviewsOf())[0]).not.toHaveProperty('rating');
  });

  it('accepts an empty text', async () => {
    const id = await write(lena);
    await patch(lena, id, { review: '' }).expect(200);
    expect(texts(await reviewsOf())).toEqual(['']);
  });

  it('returns 403 for another customer, and does not change the review', async () => {
    const id = await write(lena, { rating: 5 });
    const before = await stored(id);
    await patch(omar, id, { review: 'Mine now' }).expect(403);
    await patch(omar, id, { rating: 1 }).expect(403);
    expect(await stored(id)).toEqual(before);
  });

  it.each([{ review: 'Too late' }, { rating: 5 }])(
    'returns 404 for the edit %j when the review is deleted at the same time, and does not restore the review',
    async (edit) => {
      const id = await write(lena, { rating: 3 });
      beforeNext('updateOne', () => reviews.updateMany({ _id: new ObjectId(id) }, { $set: { deletedAt: new Date() } }));
      await patch(lena, id, edit).expect(404);
      expect(await stored(id)).toMatchObject({ review: 'Well done', rating: 3, deletedAt: expect.any(Date) });
    },
  );

  it.each([{ review: 'Too late' }, { rating: 5 }])(
    'returns 403 for the edit %j when a moderator hides the review at the same time, and does not save the edit',
    async (edit) => {
      const id = await write(lena, { rating: 3 });
      beforeNext('updateOne', () =>
        reviews.updateMany({ _id: new ObjectId(id) }, { $set: { deletedAt: hiddenDeletedAt } }),
      );
      const { body } = await patch(lena, id, edit).expect(403);
      expect(body.detail).toMatch(/^A moderator has hidden your review/);
      expect(await stored(id)).toMatchObject({ review: 'Well done', rating: 3, deletedAt: hiddenDeletedAt });
    },
  );

  it('never says that the review belongs to someone else when a moderator restores it during an edit by its author', async () => {
    const id = await write(lena);
    const filter = { _id: new ObjectId(id) };
    await reviews.updateMany(filter, { $set: { deletedAt: hiddenDeletedAt } });
    const original = Collection.prototype.findOne;
    vi.spyOn(Collection.prototype, 'findOne').mockImplementation(async function call(this: Collection, ...args) {
      const { deletedAt } = (args as unknown[])[0] as { deletedAt?: Date };
      // The API now asks whether the review is hidden. It has just found that the review cannot be edited.
      if (deletedAt?.getTime() === hiddenDeletedAt.getTime())
        await reviews.updateMany(filter, { $set: { deletedAt: null } });
      return original.apply(this, args);
    });
    await patch(lena, id, { review: 'Restored' }).expect(404);
  });

  it('saves the edit when a moderator hides and restores the review at the same time', async () => {
    const id = await write(lena);
    const setDeletedAt = (deletedAt: Date | null) =>
      reviews.updateMany({ _id: new ObjectId(id) }, { $set: { deletedAt } });
    beforeNext(
      'updateOne',
      () => setDeletedAt(hiddenDeletedAt),
      () => setDeletedAt(null),
    );
    await patch(lena, id, { review: 'Still here' }).expect(200);
    expect(await stored(id)).toMatchObject({ review: 'Still here', deletedAt: null });
  });

  it.each([
    ['no field', {}],
    ['_id', { review: 'x', _id: '0123456789abcdef01234567' }],
    ['uid', { review: 'x', uid: 'x' }],
    ['email', { review: 'x', email: 'x' }],
    ['customer', { review: 'x', customer: 'x' }],
    ['serviceId', { review: 'x', serviceId: '0123456789abcdef01234567' }],
    ['createdAt', { review: 'x', createdAt: '2020-01-01' }],
    ['a MongoDB operator', { $set: { uid: 'x' } }],
    ['a MongoDB operator as a text', { review: { $gt: '' } }],
    ['null instead of a text', { review: null }],
    ['5,001 characters', { review: 'x'.repeat(5001) }],
    ['6 stars', { rating: 6 }],
  ])('returns 400 for a body with %s, and does not change the review', async (_, body) => {
    const id = await write(lena);
    const before = await stored(id);
    await patch(lena, id, body).expect(400);
    expect(await stored(id)).toEqual(before);
  });

  it('returns 404 for an unknown review, a deleted review and a malformed id', async () => {
    const gone = await write(lena);
    await api.delete(`/review/${gone}`).set(bearer(lena)).expect(200);
    for (const id of [gone, new ObjectId().toHexString(), '1']) {
      await patch(lena, id, { review: 'x' }).expect(404);
      await patch(omar, id, { review: 'x' }).expect(404);
    }
    expect((await stored(gone))?.review).toBe('Well done');
  });
});

describe('DELETE /review/:id', () => {
  const remove = (author: TestCustomer, id: string) => api.delete(`/review/${id}`).set(bearer(author));

  it('removes the review from every list and from the counts of its service, and GET /review/:id then returns 404', async () => {
    const id = await write(lena, { rating: 5 });
    await write(omar, { rating: 2, review: 'Stays' });
    expect((await remove(lena, id).expect(200)).body).toEqual({ acknowledged: true, deletedCount: 1 });
    expect(texts(await reviewsOf())).toEqual(['Stays']);
    expect(texts(await reviewsOf('&limit=9'))).toEqual(['Stays']);
    await api.get(`/review/${id}`).expect(404);
    await api.get(`/review/${id}`).set(bearer(lena)).expect(404);
    for (const query of ['', '&limit=9', `&serviceId=${serviceId}`])
      expect((await api.get(`/review?email=${lena.email}${query}`).set(bearer(lena)).expect(200)).body).toEqual([]);
    expect(await service()).toMatchObject({ reviewCount: 1, ratingCount: 1, averageRating: 2 });
  });

  it('returns 403 for another customer, and does not change the review', async () => {
    const id = await write(lena);
    const before = await stored(id);
    await remove(omar, id).expect(403);
    expect(await stored(id)).toEqual(before);
  });

  it('returns 404 for an unknown review and a deleted review', async () => {
    const id = await write(lena);
    await remove(lena, id).expect(200);
    const before = await stored(id);
    for (const author of [lena, omar]) {
      await remove(author, id).expect(404);
      await remove(author, new ObjectId().toHexString()).expect(404);
    }
    expect(await stored(id)).toEqual(before);
  });

  it('returns 404 when another request deletes the review at the same time', async () => {
    const id = await write(lena);
    beforeNext('updateOne', () => remove(lena, id).expect(200));
    await remove(lena, id).expect(404);
  });

  it('returns 403 when a moderator hides the review at the same time, and does not delete the review', async () => {
    const id = await write(lena);
    beforeNext('updateOne', () =>
      reviews.updateMany({ _id: new ObjectId(id) }, { $set: { deletedAt: hiddenDeletedAt } }),
    );
    const { body } = await remove(lena, id).expect(403);
    expect(body.detail).toMatch(/^A moderator has hidden your review/);
    expect(await stored(id)).toMatchObject({ deletedAt: hiddenDeletedAt });
  });

  it('deletes the review only once when it receives 10 concurrent requests', async () => {
    const id = await write(lena);
    const responses = await Promise.all(Array.from({ length: 10 }, () => remove(lena, id)));
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(404)]);
  });
});

describe('POST /review/:id/restore', () => {
  const restore = (author: TestCustomer, id: string) => api.post(`/review/${id}/restore`).set(bearer(author));
  const deletedAt = async (author: TestCustomer, at: Date): Promise<[string, ReviewDocument | null]> => {
    const id = await write(author, { rating: 5 });
    await api.delete(`/review/${id}`).set(bearer(author)).expect(200);
    await reviews.updateOne({ _id: new ObjectId(id) }, { $set: { deletedAt: at } });
    return [id, await stored(id)];
  };

  it('restores the review with its stars', async () => {
    const id = await write(lena, { rating: 5, review: 'Mine' });
    const before = await stored(id);
    await api.delete(`/review/${id}`).set(bearer(lena)).expect(200);
    const { body } = await restore(lena, id).expect(200);
    expect(body).toEqual({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
    expect(await stored(id)).toEqual({ ...before, recheckAt: expect.any(Date) });
    expect(texts(await reviewsOf())).toEqual(['Mine']);
    expect(await service()).toMatchObject({ reviewCount: 1, averageRating: 5 });
  });

  it('returns 200 for a review that is not deleted, for example because it is already restored', async () => {
    const id = await write(lena);
    expect((await restore(lena, id).expect(200)).body).toEqual({
      acknowledged: true,
      matchedCount: 1,
      modifiedCount: 0,
    });
  });

  it('restores a review only in the first 10 minutes after its deletion', async () => {
    const [inTime] = await deletedAt(lena, minutesAgo(9.8));
    await restore(lena, inTime).expect(200);
    const [late, before] = await deletedAt(lena, minutesAgo(10.01));
    await restore(lena, late).expect(404);
    expect(await stored(late)).toEqual(before);
  });

  it('has its reviews in the list of deleted reviews of the author as long as they can be restored', async () => {
    const deleted = async () =>
      (await api.get(`/review?email=${lena.email}&deleted=true`).set(bearer(lena)).expect(200)).body.map(
        ({ _id }: Review) => _id,
      );
    await write(lena);
    const [inTime] = await deletedAt(lena, minutesAgo(9.8));
    await deletedAt(lena, minutesAgo(10.01));
    await deletedAt(omar, new Date());
    expect(await deleted()).toEqual([inTime]);
    await restore(lena, inTime).expect(200);
    expect(await deleted()).toEqual([]);
  });

  it('returns 403 for another customer, and does not change the review', async () => {
    const [id, before] = await deletedAt(lena, new Date());
    await restore(omar, id).expect(403);
    expect(await stored(id)).toEqual(before);
    const live = await write(lena);
    await restore(omar, live).expect(403);
  });

  it('returns 404 when the review was deleted too long ago or does not exist', async () => {
    const [late] = await deletedAt(lena, minutesAgo(11));
    await restore(omar, late).expect(404);
    await restore(lena, new ObjectId().toHexString()).expect(404);
  });

  it('returns 404 when the review is erased at the same time', async () => {
    const [id] = await deletedAt(lena, new Date());
    beforeNext('updateOne', () => reviews.deleteMany({ _id: new ObjectId(id) }));
    await restore(lena, id).expect(404);
    expect(await reviewsOf()).toEqual([]);
  });

  it('ignores a body, and returns 400 for query parameters', async () => {
    const [id] = await deletedAt(lena, new Date());
    await api.post(`/review/${id}/restore?force=1`).set(bearer(lena)).expect(400);
    await restore(lena, id).send({ uid: omar.uid }).expect(200);
    expect((await stored(id))?.uid).toBe(lena.uid);
  });
});

describe('a review by the lister of the service', () => {
  let own: string;
  beforeEach(async () => {
    const { body } = await api.post('/services').set(bearer(lena)).send({ title: 'Lena’s hoods' }).expect(201);
    serviceId = body.insertedId;
    own = await write(lena, { review: 'We are the best', rating: 5 });
  });

  it('is always returned with its stars and with `byLister`, and other reviews are returned without `byLister`', async () => {
    const foreign = await write(omar, { rating: 2 });
    const elsewhere = await write(lena, { serviceId: await addService(facts), rating: 4 });
    const marked = { byLister: true, rating: 5 };
    const [theirs, ours] = await reviewsOf();
    expect([ours, theirs]).toEqual([expect.objectContaining(marked), expect.not.objectContaining({ byLister: true })]);
    expect((await reviewsOf('&limit=9'))[1]).toMatchObject(marked);
    expect((await api.get(`/review/${own}`).expect(200)).body).toMatchObject(marked);
    expect((await api.get(`/review/${foreign}`).expect(200)).body).not.toHaveProperty('byLister');
    for (const query of ['', '&limit=9']) {
      const { body } = await api.get(`/review?email=${lena.email}${query}`).set(bearer(lena)).expect(200);
      expect(body.map((row: OwnReview) => [row._id, row.byLister])).toEqual([
        [elsewhere, undefined],
        [own, true],
      ]);
    }
  });

  it('increases the review count, but does not change the average, the distribution and the number of ratings', async () => {
    expect(await service()).toMatchObject({ reviewCount: 1, ratingCount: 0, averageRating: null });
    await write(lena, { rating: 5 });
    await write(omar, { rating: 2 });
    expect(await service()).toMatchObject({
      reviewCount: 3,
      ratingCount: 1,
      averageRating: 2,
      distribution: { 1: 0, 2: 1, 3: 0, 4: 0, 5: 0 },
    });
    const { body } = await api.get('/services').expect(200);
    const listed = body.find(({ _id }: { _id: string }) => _id === serviceId);
    expect(listed).toMatchObject({ ratingCount: 1, averageRating: 2 });
  });

  it('is last in the orders “highest” and “lowest”, and is excluded by a filter by stars', async () => {
    await write(omar, { review: 'Poor', rating: 1 });
    expect(texts(await reviewsOf('&sort=highest'))).toEqual(['Poor', 'We are the best']);
    expect(texts(await reviewsOf('&sort=lowest'))).toEqual(['Poor', 'We are the best']);
    expect(texts(await reviewsOf('&rating=5'))).toEqual([]);
  });

  it('keeps `byLister` when it is edited, deleted and restored, and its stars never count', async () => {
    const patch = (body: object) => api.patch(`/review/${own}`).set(bearer(lena)).send(body).expect(200);
    await patch({ rating: 4 });
    expect((await reviewsOf())[0]).toMatchObject({ byLister: true, rating: 4 });
    await patch({ rating: null });
    expect((await reviewsOf())[0]).not.toHaveProperty('rating');
    await patch({ rating: 3, review: 'Good enough' });
    await api.delete(`/review/${own}`).set(bearer(lena)).expect(200);
    await api.post(`/review/${own}/restore`).set(bearer(lena)).expect(200);
    expect((await reviewsOf())[0]).toMatchObject({ byLister: true, rating: 3, review: 'Good enough' });
    expect(await service()).toMatchObject({ reviewCount: 1, ratingCount: 0, averageRating: null });
  });
});
