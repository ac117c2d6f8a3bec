import type { Service, ServiceInput } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { readAllPages } from './support/read-all-pages.ts';
import { nextPagePath, resolveReference } from './support/references.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, config, db, stores, signUp } = await createTestApp();
const collections = getCollections(db);
const { services: store } = stores;

let customer: TestCustomer;
beforeAll(async () => {
  customer = await signUp({ name: 'Lena' });
});
beforeEach(async () => {
  await collections.services.deleteMany();
});

const post = (body: object, { jwt } = customer) => api.post('/services').set(bearer(jwt)).send(body);

/** Adds services, oldest first, with one minute between their times. Returns their ids in the same order. */
async function add(...inputs: Partial<ServiceInput>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [index, input] of inputs.entries()) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, index));
    ids.push((await store.insert(someLister, { ...blankService, ...input }, undefined, at)).insertedId);
  }
  return ids;
}

const titles = (services: Service[]) => services.map(({ title }) => title);

describe('GET /services', () => {
  it('returns an empty array when there are no services', async () => {
    expect((await api.get('/services').expect(200)).body).toEqual([]);
  });

  it('returns all services, newest first, without the uid of their listers', async () => {
    await add({ title: 'First', price: 'from $80', img: 'https://pictures.example/a.svg' }, { title: 'Second' });
    const { body } = await api.get('/services').expect(200);
    expect(titles(body)).toEqual(['Second', 'First']);
    expect(body[1]).toEqual({
      ...blankService,
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      title: 'First',
      price: 'from $80',
      img: 'https://pictures.example/a.svg',
      listerName: 'Lister',
      listerId: expect.stringMatching(/^[0-9a-f]{24}$/),
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      reviewCount: 0,
      ratingCount: 0,
      averageRating: null,
    });
  });

  it('with `limit`, returns one page, the total count, and a link to the next page with the same parameters', async () => {
    await add(...['a', 'b', 'c', 'd', 'e'].map((title) => ({ title: `Hood ${title}` })));
    const { body, headers } = await api.get('/services?q=hood&limit=2&sort=title').expect(200);
    expect(titles(body)).toEqual(['Hood a', 'Hood b']);
    expect(headers['x-total-count']).toBe('5');
    const link = new URL(nextPagePath('/services', headers) ?? '', 'http://api.example');
    expect(link.pathname).toBe('/services');
    expect(Object.fromEntries(link.searchParams)).toMatchObject({ q: 'hood', limit: '2', sort: 'title' });

    const pages = await readAllPages<Service>(api, '/services?q=hood&limit=2&sort=title');
    expect(pages.map(titles)).toEqual([['Hood a', 'Hood b'], ['Hood c', 'Hood d'], ['Hood e']]);
  });

  it('has no link to a next page when the last page is full', async () => {
    await add({}, {});
    const { headers } = await api.get('/services?limit=2').expect(200);
    expect(headers.link).toBeUndefined();
  });

  it.each(['q=hood', 'sort=newest'])(
    'without `limit`, returns a page of 20 services for the query %s',
    async (query) => {
      await add(...Array.from({ length: 25 }, () => ({ title: 'Hood' })));
      const { body, headers } = await api.get(`/services?${query}`).expect(200);
      expect(body).toHaveLength(20);
      const { body: rest } = await api.get(nextPagePath('/services', headers) ?? '').expect(200);
      expect(rest).toHaveLength(5);
    },
  );

  it('sorts by the first number in the price, and lists services without a number last', async () => {
    const prices = ['', 'from $1,200', 'on request', '95.50 each', '$95', '10,50 a metre', '2 for 300', '0'];
    await add(...prices.map((price) => ({ price })));
    const pages = await readAllPages<Service>(api, '/services?sort=price&limit=3');
    expect(pages.flat().map(({ price }) => price)).toEqual([
      '0',
      '2 for 300',
      '10,50 a metre',
      '$95',
      '95.50 each',
      'from $1,200',
      '',
      'on request',
    ]);
  });

  it('sorts by title and ignores case, and returns each service once even if titles differ only in case', async () => {
    const ids = await add(...['beta', 'Alpha', 'BETA', 'alpha', 'Gamma', 'Beta'].map((title) => ({ title })));
    const pages = await readAllPages<Service>(api, '/services?sort=title&limit=1');
    const [b1, a1, b2, a2, g, b3] = ids;
    const byId = (...of: (string | undefined)[]) => of.toSorted((a = '', b = '') => a.localeCompare(b));
    expect(pages.flat().map(({ _id }) => _id)).toEqual([...byId(a1, a2), ...byId(b1, b2, b3), g]);
  });

  it('with sort=rating, sorts by the average stars of the reviews, not by `ratting`, and lists services without stars last', async () => {
    const [low, none, high] = await add(
      { title: 'low', ratting: '5' },
      { title: 'none', ratting: '99' },
      { title: 'high' },
    );
    for (const [id, averageRating] of [
      [low, 1.5],
      [high, 4.67],
    ] as const)
      await collections.services.updateOne({ _id: new ObjectId(id) }, { $set: { averageRating, ratingCount: 2 } });
    const pages = await readAllPages<Service>(api, '/services?sort=rating&limit=1');
    expect(pages.flat().map(({ _id }) => _id)).toEqual([high, low, none]);
  });

  it('returns the headers without the body for the method HEAD', async () => {
    await add({ title: 'Hood' });
    const { headers, text } = await api.head('/services').expect(200);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(text ?? '').toBe('');
  });

  it('returns 304 for the ETag of an unchanged page', async () => {
    await add({ title: 'Hood' });
    const { headers } = await api.get('/services?limit=3').expect(200);
    await api
      .get('/services?limit=3')
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
  });

  it.each(['0', '-1', 'NaN', '1e9', '101', '1000000000', '1.5', '', '%20', '0x10'])(
    'returns 400 for the limit "%s"',
    async (limit) => {
      const { body } = await api.get(`/services?limit=${limit}`).expect(400);
      expect(body.errors).toEqual([{ path: 'query.limit', message: 'must be a whole number from 1 to 100' }]);
    },
  );

  it.each([
    'limit=1&limit=2',
    'q=a&q=b',
    'q[$regex]=.*',
    'q[]=a',
    'sort=price;-1',
    'sort=ratting',
    'sort=__proto__',
    'sort=constructor',
    '__proto__=x',
    'constructor=x',
    'unknown=1',
    'limit=2&$where=1',
    'q=%E0%A4%A',
    `q=${'a'.repeat(201)}`,
    `after=${'a'.repeat(2049)}`,
    'after=',
  ])('returns 400 for the query %s', async (query) => {
    await api.get(`/services?${query}`).expect(400);
  });
});

describe('the cursor of a page', () => {
  const cursorOf = async (path: string) => {
    const { headers } = await api.get(path).expect(200);
    return new URL(nextPagePath(path, headers) ?? '', 'http://api.example').searchParams.get('after') ?? '';
  };

  beforeEach(async () => {
    await add({ title: 'Hood one' }, { title: 'Hood two' }, { title: 'Hood three' });
  });

  it('is accepted by the list that it belongs to', async () => {
    await api.get(`/services?limit=1&sort=title&after=${await cursorOf('/services?limit=1&sort=title')}`).expect(200);
  });

  it.each([
    ['another sort', '/services?limit=1&sort=title', '/services?limit=1&sort=price'],
    ['another sort with similar values', '/services?limit=1&sort=price', '/services?limit=1&sort=rating'],
    ['no sort parameter', '/services?limit=1&sort=title', '/services?limit=1'],
    ['another search text q', '/services?limit=1&q=hood', '/services?limit=1&q=hoo'],
    ['no search text q', '/services?limit=1&q=hood', '/services?limit=1'],
  ])('is rejected by a list with %s', async (_, from, to) => {
    await api.get(`${to}&after=${await cursorOf(from)}`).expect(400);
  });

  it('from a list of services is rejected by the list of reviews', async () => {
    const cursor = await cursorOf('/services?limit=1');
    await api.get(`/allreview?serviceId=${new ObjectId().toHexString()}&limit=1&after=${cursor}`).expect(400);
  });

  it('can contain the longest possible title', async () => {
    await add({ title: '\u0001'.repeat(120) }, { title: '\u0001'.repeat(120) });
    const pages = await readAllPages<Service>(api, '/services?sort=title&limit=1');
    expect(pages.flat()).toHaveLength(5);
  });

  it('is rejected if a client has invented it or has changed a part of it', async () => {
    const cursor = await cursorOf('/services?limit=1');
    const [listHash, at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, number, string];
    const madeUp = [
      'x',
      'null',
      '{}',
      '[]',
      `["${listHash}"]`,
      JSON.stringify([listHash, at]),
      JSON.stringify([listHash, at, id, 1]),
      JSON.stringify([listHash, { $gt: 0 }, id]),
      JSON.stringify([listHash, '2026-01-01', id]),
      JSON.stringify([listHash, 9e15, id]),
      JSON.stringify([listHash, null, id]),
      JSON.stringify([listHash, at, { $ne: null }]),
      JSON.stringify([listHash, at, id.slice(1)]),
      JSON.stringify([listHash, at, [id]]),
      JSON.stringify(['0123456789abcdef', at, id]),
      JSON.stringify({ 0: listHash, 1: at, 2: id, length: 3 }),
    ].map((text) => Buffer.from(text).toString('base64url'));
    for (const after of [...madeUp, `${cursor}=`, `${cursor}!`, cursor.slice(0, -1), `${cursor}${cursor}`]) {
      const { body } = await api.get(`/services?limit=1&after=${encodeURIComponent(after)}`).expect(400);
      expect(body.errors).toEqual([{ path: 'query.after', message: 'is not a cursor of this list' }]);
    }
  });
});

describe('a search for services', () => {
  const find = async (q: string) => {
    const { body, headers } = await api.get(`/services?sort=title&q=${encodeURIComponent(q)}`).expect(200);
    expect(headers['x-total-count']).toBe(String(body.length));
    return titles(body);
  };

  beforeEach(async () => {
    await add(
      { title: 'Hood installation', description: 'A stainless canopy, hung true. Don’t wait: 24/7.' },
      { title: 'Duct cleaning', description: 'Grease out, down to bare metal.' },
      { title: 'Ölwechsel für Fritteusen', description: 'ΟΔΟΣ, İstanbul, straße, ﬁlter. 清洁 хорошо' },
      { title: '.* $where (a+)+$ \' " \\ {$gt: 1} [x', description: '<img src=x onerror=alert(1)>' },
    );
  });

  it.each([
    ['hood', ['Hood installation']],
    ['HOOD', ['Hood installation']],
    ['  in   ', ['Hood installation']],
    ['install hood', ['Hood installation']],
    ['canopy hood', ['Hood installation']],
    ['tallation', []],
    ['hood grease', ['Hood installation']],
    ['24 7', ['Hood installation']],
    ['don t', ['Hood installation']],
    ['olwechsel fur', ['Ölwechsel für Fritteusen']],
    ['O\u0308LWECHSEL', ['Ölwechsel für Fritteusen']],
    ['strasse', ['Ölwechsel für Fritteusen']],
    ['STRAẞE', ['Ölwechsel für Fritteusen']],
    ['istan', ['Ölwechsel für Fritteusen']],
    ['οδοσ', ['Ölwechsel für Fritteusen']],
    ['οδος', ['Ölwechsel für Fritteusen']],
    ['fil', ['Ölwechsel für Fritteusen']],
    ['清洁', ['Ölwechsel für Fritteusen']],
    ['清', ['Ölwechsel für Fritteusen']],
    ['ХОРОШО', ['Ölwechsel für Fritteusen']],
    ['$where', ['.* $where (a+)+$ \' " \\ {$gt: 1} [x']],
    ['onerror img', ['.* $where (a+)+$ \' " \\ {$gt: 1} [x']],
    ['{"$gt": ""}', ['.* $where (a+)+$ \' " \\ {$gt: 1} [x']],
    ['hood\0', ['Hood installation']],
    ['hood"', ['Hood installation']],
    ["hood' || '1'=='1", ['Hood installation']],
    ['h.*n', []],
    ['hood|duct', ['Hood installation']],
    ['^hood$', ['Hood installation']],
  ])('with q=%j finds %j', async (q, found) => {
    expect(await find(q)).toEqual(found);
  });

  it.each(['', '.*', '\0', '"', "'", '$', '{}', '\\', '…', '😀', ' ', '\u0301', '(', '['])(
    'with q=%j finds nothing, because q has no letter or digit',
    async (q) => {
      expect(await find(q)).toEqual([]);
    },
  );

  it('finds words of any length', async () => {
    await add({ title: 'Long', description: 'x'.repeat(5000) });
    expect(await find('x'.repeat(200))).toEqual(['Long']);
    expect(await find(`${'x'.repeat(199)}y`)).toEqual([]);
  });
});

const missingId = '0123456789abcdef01234567';

describe('GET /services/:id', () => {
  it('returns the service with its star distribution', async () => {
    const [id] = await add({ title: 'Hood', description: 'All of it' });
    const { body } = await api.get(`/services/${id}`).expect(200);
    expect(body).toMatchObject({
      _id: id,
      title: 'Hood',
      description: 'All of it',
      reviewCount: 0,
      averageRating: null,
    });
    expect(body.distribution).toEqual({ 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 });
  });

  it('accepts an id in upper case', async () => {
    const [id = ''] = await add({ title: 'Hood' });
    expect((await api.get(`/services/${id.toUpperCase()}`).expect(200)).body._id).toBe(id);
  });

  it.each([missingId, '1', 'abcdefabcdef', 'z'.repeat(24), '%00', '__proto__', '[object Object]'])(
    'returns 404 for the id %s',
    async (id) => {
      await api.get(`/services/${id}`).expect(404);
    },
  );

  it('returns 400 for query parameters', async () => {
    const [id] = await add({});
    await api.get(`/services/${id}?fields=createdBy`).expect(400);
  });
});

describe('POST /services', () => {
  it('adds a service that belongs to the customer, and returns its location', async () => {
    const input = {
      title: 'Hood installation',
      ratting: '4.9 of 5',
      img: 'https://pictures.example/hood.jpg?w=1',
      price: 'from $1,200',
      description: 'Line one\n\tline two',
    };
    const { body, headers } = await post(input).expect(201);
    expect(body).toEqual({ acknowledged: true, insertedId: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect(headers.location).toBe(`services/${body.insertedId}`);
    expect((await api.get(resolveReference('/services', headers.location)).expect(200)).body).toMatchObject(input);
    expect(await collections.services.findOne()).toMatchObject({ createdBy: customer.uid, priceNumber: 1200 });
  });

  it('accepts the path /services/ with a trailing slash, which the specification uses', async () => {
    const { body, headers } = await api.post('/services/').set(bearer(customer)).send({ title: 'Hood' }).expect(201);
    expect(resolveReference('/services/', headers.location)).toBe(`/services/${body.insertedId}`);
  });

  it('adds a service even if the request body has no fields', async () => {
    const { headers } = await post({}).expect(201);
    expect((await api.get(resolveReference('/services', headers.location)).expect(200)).body).toMatchObject(
      blankService,
    );
  });

  it('stores texts exactly as sent', async () => {
    const evil = '<img src=x onerror=alert(1)> ';
    const input = {
      title: `${evil}😀 \u202Eabc\u0000`,
      ratting: evil,
      price: '<img onerror=alert(1)> ',
      description: `  ${evil}${'é'.repeat(2000)}${'😀'.repeat(1400)}\r\n`,
    };
    const { headers } = await post(input).expect(201);
    expect((await api.get(resolveReference('/services', headers.location)).expect(200)).body).toMatchObject(input);
  });

  it.each([
    ['_id', { _id: '0123456789abcdef01234567' }],
    ['createdBy', { createdBy: 'demo-amira' }],
    ['uid', { uid: 'demo-amira' }],
    ['an unknown field', { title: 'Hood', averageRating: 5 }],
    ['a MongoDB operator', { $set: { title: 'x' } }],
    ['a MongoDB operator as a text', { title: { $gt: '' } }],
    ['a number instead of a text', { price: 1200 }],
    ['null instead of a text', { price: null }],
    ['an array instead of a text', { title: ['Hood'] }],
    ['a title of 121 characters', { title: 'x'.repeat(121) }],
    ['a price of 41 characters', { price: 'x'.repeat(41) }],
    ['a ratting of 41 characters', { ratting: 'x'.repeat(41) }],
    ['a description of 5,001 characters', { description: 'x'.repeat(5001) }],
    ['a picture URL of 2,049 characters', { img: `https://a.example/${'x'.repeat(2031)}` }],
    ['a picture with a javascript: URL', { img: 'javascript:alert(1)' }],
    ['a picture with a tab in its javascript: URL', { img: 'java\tscript:alert(1)' }],
    ['a picture with a data: URL', { img: 'data:image/svg+xml,<svg onload=alert(1)>' }],
    ['a picture with a file: URL', { img: 'file:///etc/passwd' }],
    ['a picture that is not a URL', { img: '/pictures/hood.svg' }],
    ['a picture URL with a user name and a password', { img: 'https://lena:secret@pictures.example/hood.svg' }],
    ['a picture on localhost', { img: 'http://localhost/hood.svg' }],
    ['a picture on a loopback address in decimal', { img: 'http://2130706433/hood.svg' }],
    ['a picture on an IPv4-mapped private address', { img: 'http://[::ffff:192.168.1.1]/reboot' }],
    ['a picture in a local domain', { img: 'https://printer.local./status' }],
  ])('returns 400 for a body with %s, and stores nothing', async (_, body) => {
    const response = await post(body).expect(400);
    expect(response.body.errors[0].path).toMatch(/^body/);
    expect(await collections.services.countDocuments()).toBe(0);
  });

  it('returns 400 for an invalid picture URL, and says what is wrong with it', async () => {
    const { body } = await post({ img: 'http://localhost/hood.svg' }).expect(400);
    expect(body.errors).toEqual([
      { path: 'body.img', message: 'must be on a public host: this one is local or private' },
    ]);
    expect(body.detail).toContain('body.img: must be on a public host');
  });

  it('accepts the URLs of pictures that the website itself provides, even on localhost', async () => {
    const img = `${config.webOrigins[0]}/pictures/avatar-1.svg`;
    expect(new URL(img).hostname).toBe('localhost');
    const { headers } = await post({ img }).expect(201);
    expect((await api.get(resolveReference('/services', headers.location)).expect(200)).body.img).toBe(img);
  });

  it('checks only new picture URLs: stored services with a picture URL on a private host are still returned', async () => {
    const img = 'http://192.168.1.1/hood.svg';
    const [id] = await add({ img });
    expect((await api.get(`/services/${id}`).expect(200)).body.img).toBe(img);
    expect((await api.get('/services').expect(200)).body).toMatchObject([{ img }]);
    await api.get('/services?limit=1').expect(200);
  });

  it.each(['{"__proto__":{"title":"x"}}', '{"title":"a","__proto__":{"createdBy":"x"}}', '[]', 'null', '"x"', '1'])(
    'returns 400 for the body %s',
    async (json) => {
      await post({}).set('Content-Type', 'application/json').send(json).expect(400);
      expect(await collections.services.countDocuments()).toBe(0);
    },
  );

  it('returns 400 for query parameters', async () => {
    await api.post('/services?createdBy=x').set(bearer(customer)).send({}).expect(400);
  });

  describe('with an Idempotency-Key', () => {
    const keyed = (key: string, body: object, who = customer) => post(body, who).set('Idempotency-Key', key);

    it('inserts one row for 50 identical concurrent requests, and returns the same response to each', async () => {
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => keyed('draft-1', { title: 'Hood', price: '$1' }).expect(201)),
      );
      expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
      expect(new Set(responses.map(({ headers }) => headers.location)).size).toBe(1);
      expect(await collections.services.countDocuments()).toBe(1);
    });

    it('returns 422 with the location of the first service when the key is repeated with other content', async () => {
      const { body: first } = await keyed('draft-2', { title: 'Hood' }).expect(201);
      for (const other of [
        { title: 'hood' },
        { title: 'Hood', price: '1' },
        { title: 'Hood', img: 'https://a.example/' },
      ]) {
        const { body, headers } = await keyed('draft-2', other).expect(422);
        expect(body.detail).toContain(first.insertedId);
        expect(headers.location).toBe(`services/${first.insertedId}`);
      }
      expect(titles((await api.get('/services').expect(200)).body)).toEqual(['Hood']);
    });

    it('treats the same key of different customers as different keys', async () => {
      const other = await signUp();
      const { body: mine } = await keyed('draft-3', { title: 'Hood' }).expect(201);
      const { body: theirs } = await keyed('draft-3', { title: 'Hood' }, other).expect(201);
      expect(theirs.insertedId).not.toBe(mine.insertedId);
    });

    it.each(['', 'x'.repeat(201)])('returns 400 for the key "%s"', async (key) => {
      await keyed(key, {}).expect(400);
    });
  });

  it('inserts two services for two equal requests without an Idempotency-Key', async () => {
    await post({ title: 'Hood' }).expect(201);
    await post({ title: 'Hood' }).expect(201);
    expect(await collections.services.countDocuments()).toBe(2);
  });
});

it('the services of a deleted account remain, without a lister', async () => {
  await post({ title: 'Hood' }).expect(201);
  await add({ title: 'Duct' });
  await store.removeOwner(customer.uid);
  await store.removeOwner(customer.uid);
  const owners = await collections.services.find().sort({ title: 1 }).toArray();
  expect(owners.map(({ title, createdBy }) => [title, createdBy])).toEqual([
    ['Duct', someLister.uid],
    ['Hood', null],
  ]);
});
