import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  after,
  id,
  isWebUrl,
  limit,
  pictureUrl,
  review,
  reviewEdit,
  reviewInput,
  service,
  serviceInput,
  serviceQuery,
  serviceReviewsQuery,
  stars,
  text,
  tokenRequest,
} from '../src/index.ts';

const accepts = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success;
const serviceId = '0123456789abcdef01234567';

describe('the schema of an id', () => {
  it('accepts 24 hexadecimal digits, and converts them to lower case', () => {
    expect(z.parse(id, '0123456789ABCDEFabcdef01')).toBe('0123456789abcdefabcdef01');
  });

  it.each(['', '0123456789abcdef0123456', '0123456789abcdef012345678', 'g'.repeat(24), `${serviceId}\n`, 12, null, {}])(
    'rejects %j',
    (value) => {
      expect(accepts(id, value)).toBe(false);
    },
  );
});

describe('the schema of a text', () => {
  it('returns a text unchanged', () => {
    const value = ' \u0000\u202E<b>é😀\r\n ';
    expect(z.parse(text(value.length), value)).toBe(value);
  });

  it('counts the length in code points, so that the limit is the same for all scripts', () => {
    expect(accepts(text(4), '😀😀😀😀')).toBe(true);
    expect(accepts(text(4), '😀😀😀😀x')).toBe(false);
  });

  it.each([1, null, true, ['x'], { $gt: '' }])('rejects %j, which is not a text', (value) => {
    expect(accepts(text(10), value)).toBe(false);
  });
});

describe('the schema of a picture URL', () => {
  it.each([
    '',
    'http://a.example',
    'https://a.example/b.jpg?c=d#e',
    'HTTPS://A.EXAMPLE/',
    'https://bücher.example/ä.png',
  ])('accepts %j', (value) => {
    expect(accepts(pictureUrl, value)).toBe(true);
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:image/png;base64,AAAA',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'ftp://a.example/b.jpg',
    '//a.example/b.jpg',
    '/b.jpg',
    'b.jpg',
    'https://',
    'https://a b',
  ])('rejects %j', (value) => {
    expect(accepts(pictureUrl, value)).toBe(false);
  });

  it('accepts URLs of up to 2,048 characters', () => {
    const longest = `https://a.example/${'x'.repeat(2048 - 18)}`;
    expect(longest).toHaveLength(2048);
    expect(accepts(pictureUrl, longest)).toBe(true);
    expect(accepts(pictureUrl, `${longest}x`)).toBe(false);
  });

  it('accepts an empty text, which isWebUrl() rejects', () => {
    expect(accepts(pictureUrl, '')).toBe(true);
    expect(isWebUrl('')).toBe(false);
    expect(isWebUrl('https://a.example')).toBe(true);
  });
});

describe('the schema of a page limit', () => {
  it.each([
    ['1', 1],
    ['100', 100],
    ['10', 10],
  ])('converts %j to %d', (value, number) => {
    expect(z.parse(limit, value)).toBe(number);
  });

  it.each([
    '',
    '0',
    '007',
    '101',
    '-1',
    '+1',
    '1.0',
    '1e2',
    '0x1',
    ' 1',
    '1 ',
    'NaN',
    'Infinity',
    '9'.repeat(30),
    '١',
    1,
  ])('rejects %j', (value) => {
    expect(accepts(limit, value)).toBe(false);
  });
});

it('the schema of a cursor accepts 1 to 2,048 characters', () => {
  expect(accepts(after, '')).toBe(false);
  expect(accepts(after, 'x'.repeat(2048))).toBe(true);
  expect(accepts(after, 'x'.repeat(2049))).toBe(false);
});

describe('the schema of stars', () => {
  it.each([1, 2, 3, 4, 5])('accepts %d', (value) => {
    expect(accepts(stars, value)).toBe(true);
  });

  it.each([0, 6, -1, 4.5, NaN, Infinity, '5', null, true])('rejects %j', (value) => {
    expect(accepts(stars, value)).toBe(false);
  });
});

describe('the schema of a new service', () => {
  it('requires no field, and sets missing fields to an empty text', () => {
    expect(z.parse(serviceInput, {})).toEqual({
      title: '',
      ratting: '',
      img: '',
      price: '',
      description: '',
      phone: '',
      website: '',
      area: '',
      hours: '',
      licence: '',
      insured: '',
    });
  });

  it.each([
    ['title', 120],
    ['ratting', 40],
    ['price', 40],
    ['description', 5000],
  ])('limits the field %s to %d characters', (field, maxLength) => {
    expect(accepts(serviceInput, { [field]: 'x'.repeat(maxLength) })).toBe(true);
    expect(accepts(serviceInput, { [field]: 'x'.repeat(maxLength + 1) })).toBe(false);
  });

  it.each(['_id', 'uid', 'createdBy', 'createdAt', 'averageRating', '$set', 'rating', 'constructor', 'toString'])(
    'rejects the field %s',
    (field) => {
      expect(accepts(serviceInput, { title: 'Hood', [field]: 'x' })).toBe(false);
    },
  );

  it('rejects the field __proto__', () => {
    expect(accepts(serviceInput, JSON.parse('{"__proto__": {"title": "x"}}'))).toBe(false);
    expect(accepts(serviceInput, JSON.parse('{"title": "a", "__proto__": 1}'))).toBe(false);
  });

  it.each([null, undefined, [], 'x', 1])('rejects %j, which is not an object with fields', (value) => {
    expect(accepts(serviceInput, value)).toBe(false);
  });
});

describe('the schema of a new review', () => {
  it('requires only the id of the service', () => {
    expect(z.parse(reviewInput, { serviceId })).toEqual({ serviceId, review: '', time: '', date: '' });
    expect(accepts(reviewInput, {})).toBe(false);
  });

  it('accepts the ten fields that the specification of the app requires, and also stars', () => {
    const input = {
      serviceId,
      serviceName: 'Hood',
      price: '$1',
      customer: 'Lena',
      email: 'lena@kitchen.example',
      review: 'x'.repeat(5000),
      img: '',
      costomerImg: 'https://a.example/b.jpg',
      time: '3:04:05 PM',
      date: '1/2/2026',
      rating: 5,
    };
    expect(z.parse(reviewInput, input)).toEqual(input);
  });

  it.each([
    { review: 'x'.repeat(5001) },
    { time: 'x'.repeat(41) },
    { date: 'x'.repeat(41) },
    { uid: 'x' },
    { _id: 'x' },
  ])('rejects %o', (field) => {
    expect(accepts(reviewInput, { serviceId, ...field })).toBe(false);
  });
});

describe('the schema of a review edit', () => {
  it.each([{ review: '' }, { review: 'x' }, { rating: 1 }, { rating: null }, { review: 'x', rating: 5 }])(
    'accepts %j',
    (edit) => {
      expect(z.parse(reviewEdit, edit)).toEqual(edit);
    },
  );

  it.each([
    {},
    { review: undefined },
    { review: null },
    { rating: 0 },
    { review: 'x', time: 'x' },
    { review: 'x', uid: 'x' },
  ])('rejects %o', (edit) => {
    expect(accepts(reviewEdit, edit)).toBe(false);
  });
});

describe('the schemas of queries', () => {
  it('convert parameters from text to their types', () => {
    expect(z.parse(serviceQuery, { limit: '3', q: 'hood', sort: 'price' })).toEqual({
      limit: 3,
      q: 'hood',
      sort: 'price',
    });
    expect(z.parse(serviceReviewsQuery, { serviceId, rating: '4' })).toEqual({ serviceId, rating: 4 });
  });

  it.each([
    { limit: ['1', '2'] },
    { q: ['a', 'b'] },
    { q: { $regex: '.' } },
    { 'q[$ne]': '' },
    { sort: 'ratting' },
    { page: '1' },
  ])('reject %j', (query) => {
    expect(accepts(serviceQuery, query)).toBe(false);
  });
});

describe('the schemas of public responses', () => {
  const publicReview = {
    _id: serviceId,
    serviceId,
    serviceName: '',
    price: '',
    img: '',
    customer: '',
    costomerImg: '',
    review: '',
    time: '',
    date: '',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    usefulCount: 0,
  };

  it.each(['email', 'uid', 'deletedAt', 'requestHash', 'usefulBy'])(
    'do not allow the field %s in a review',
    (field) => {
      expect(accepts(review, publicReview)).toBe(true);
      expect(accepts(review, { ...publicReview, [field]: 'x' })).toBe(false);
    },
  );

  it('do not allow the uid of the lister in a service', () => {
    const listed = {
      _id: serviceId,
      ...z.parse(serviceInput, {}),
      listerName: 'Lena',
      listerId: '',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
      reviewCount: 0,
      ratingCount: 0,
      averageRating: null,
    };
    expect(accepts(service, listed)).toBe(true);
    expect(accepts(service, { ...listed, createdBy: 'x' })).toBe(false);
  });
});

it('the schema of a token request accepts an email and nothing else', () => {
  expect(accepts(tokenRequest, { email: 'a@b.example' })).toBe(true);
  expect(accepts(tokenRequest, { email: '' })).toBe(false);
  expect(accepts(tokenRequest, { email: 'x'.repeat(321) })).toBe(false);
  expect(accepts(tokenRequest, { email: { $ne: '' } })).toBe(false);
  expect(accepts(tokenRequest, { email: 'a@b.example', uid: 'x' })).toBe(false);
});
