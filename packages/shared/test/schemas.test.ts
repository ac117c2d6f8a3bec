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

const takes = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).success;
const serviceId = '0123456789abcdef01234567';

describe('an id', () => {
  it('is 24 hexadecimal digits, in lower case once parsed', () => {
    expect(z.parse(id, '0123456789ABCDEFabcdef01')).toBe('0123456789abcdefabcdef01');
  });

  it.each(['', '0123456789abcdef0123456', '0123456789abcdef012345678', 'g'.repeat(24), `${serviceId}\n`, 12, null, {}])(
    'is not %j',
    (value) => {
      expect(takes(id, value)).toBe(false);
    },
  );
});

describe('a text', () => {
  it('is kept exactly, to its last character', () => {
    const value = ' \u0000\u202E<b>é😀\r\n ';
    expect(z.parse(text(value.length), value)).toBe(value);
  });

  it('is counted in code points, so that no script has less room than another', () => {
    expect(takes(text(4), '😀😀😀😀')).toBe(true);
    expect(takes(text(4), '😀😀😀😀x')).toBe(false);
  });

  it.each([1, null, true, ['x'], { $gt: '' }])('is never %j', (value) => {
    expect(takes(text(10), value)).toBe(false);
  });
});

describe('a picture', () => {
  it.each([
    '',
    'http://a.example',
    'https://a.example/b.jpg?c=d#e',
    'HTTPS://A.EXAMPLE/',
    'https://bücher.example/ä.png',
  ])('may be %j', (value) => {
    expect(takes(pictureUrl, value)).toBe(true);
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
  ])('may not be %j', (value) => {
    expect(takes(pictureUrl, value)).toBe(false);
  });

  it('has at most 2,048 characters', () => {
    const longest = `https://a.example/${'x'.repeat(2048 - 18)}`;
    expect(longest).toHaveLength(2048);
    expect(takes(pictureUrl, longest)).toBe(true);
    expect(takes(pictureUrl, `${longest}x`)).toBe(false);
  });

  it('is no web URL when empty', () => {
    expect(isWebUrl('')).toBe(false);
    expect(isWebUrl('https://a.example')).toBe(true);
  });
});

describe('a page’s limit', () => {
  it.each([
    ['1', 1],
    ['100', 100],
    ['10', 10],
  ])('of %j is %d', (value, number) => {
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
  ])('is not %j', (value) => {
    expect(takes(limit, value)).toBe(false);
  });
});

it('a cursor has 1 to 2,048 characters', () => {
  expect(takes(after, '')).toBe(false);
  expect(takes(after, 'x'.repeat(2048))).toBe(true);
  expect(takes(after, 'x'.repeat(2049))).toBe(false);
});

describe('stars', () => {
  it.each([1, 2, 3, 4, 5])('may be %d', (value) => {
    expect(takes(stars, value)).toBe(true);
  });

  it.each([0, 6, -1, 4.5, NaN, Infinity, '5', null, true])('may not be %j', (value) => {
    expect(takes(stars, value)).toBe(false);
  });
});

describe('what is said of a new service', () => {
  it('may be nothing: then each text is empty', () => {
    expect(z.parse(serviceInput, {})).toEqual({ title: '', ratting: '', img: '', price: '', description: '' });
  });

  it.each([
    ['title', 120],
    ['ratting', 40],
    ['price', 40],
    ['description', 5000],
  ])('has a %s of at most %d characters', (field, most) => {
    expect(takes(serviceInput, { [field]: 'x'.repeat(most) })).toBe(true);
    expect(takes(serviceInput, { [field]: 'x'.repeat(most + 1) })).toBe(false);
  });

  it.each(['_id', 'uid', 'createdBy', 'createdAt', 'averageRating', '$set', 'rating', 'constructor', 'toString'])(
    'has no %s',
    (field) => {
      expect(takes(serviceInput, { title: 'Hood', [field]: 'x' })).toBe(false);
    },
  );

  it('has no __proto__ of its own', () => {
    expect(takes(serviceInput, JSON.parse('{"__proto__": {"title": "x"}}'))).toBe(false);
    expect(takes(serviceInput, JSON.parse('{"title": "a", "__proto__": 1}'))).toBe(false);
  });

  it.each([null, undefined, [], 'x', 1])('is not %j', (value) => {
    expect(takes(serviceInput, value)).toBe(false);
  });
});

describe('a new review', () => {
  it('needs its service alone', () => {
    expect(z.parse(reviewInput, { serviceId })).toEqual({ serviceId, review: '', time: '', date: '' });
    expect(takes(reviewInput, {})).toBe(false);
  });

  it('may hold the specification’s ten fields and stars', () => {
    const said = {
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
    expect(z.parse(reviewInput, said)).toEqual(said);
  });

  it.each([
    { review: 'x'.repeat(5001) },
    { time: 'x'.repeat(41) },
    { date: 'x'.repeat(41) },
    { uid: 'x' },
    { _id: 'x' },
  ])('is refused with %o', (wrong) => {
    expect(takes(reviewInput, { serviceId, ...wrong })).toBe(false);
  });
});

describe('an edit', () => {
  it.each([{ review: '' }, { review: 'x' }, { rating: 1 }, { rating: null }, { review: 'x', rating: 5 }])(
    'may be %j',
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
  ])('may not be %o', (edit) => {
    expect(takes(reviewEdit, edit)).toBe(false);
  });
});

describe('a query', () => {
  it('becomes what the API works with', () => {
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
  ])('is refused with %j', (query) => {
    expect(takes(serviceQuery, query)).toBe(false);
  });
});

describe('what anyone may read', () => {
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
  };

  it.each(['email', 'uid', 'deletedAt', 'requestHash'])('holds no %s of a review', (field) => {
    expect(takes(review, publicReview)).toBe(true);
    expect(takes(review, { ...publicReview, [field]: 'x' })).toBe(false);
  });

  it('holds nothing of who listed a service', () => {
    const listed = {
      _id: serviceId,
      ...z.parse(serviceInput, {}),
      createdAt: '2026-01-01T00:00:00.000Z',
      reviewCount: 0,
      ratingCount: 0,
      averageRating: null,
    };
    expect(takes(service, listed)).toBe(true);
    expect(takes(service, { ...listed, createdBy: 'x' })).toBe(false);
  });
});

it('asking for a token takes an email and nothing else', () => {
  expect(takes(tokenRequest, { email: 'a@b.example' })).toBe(true);
  expect(takes(tokenRequest, { email: '' })).toBe(false);
  expect(takes(tokenRequest, { email: 'x'.repeat(321) })).toBe(false);
  expect(takes(tokenRequest, { email: { $ne: '' } })).toBe(false);
  expect(takes(tokenRequest, { email: 'a@b.example', uid: 'x' })).toBe(false);
});
