import { strict as assert } from 'node:assert';
import type { Case } from './kit.ts';
import type { Answer, Server } from './server.ts';

interface Row {
  _id: string;
  title?: string;
  averageRating?: number | null;
}

const nobody = '0'.repeat(24);

/** What anyone may read. */
export function publicCases({ call }: Server): Case[] {
  const page = async (path: string) => {
    const answer = await call('get', path, 200);
    return { rows: answer.body as Row[], total: Number(answer.headers.get('X-Total-Count')), next: nextOf(answer) };
  };
  return [
    {
      name: 'the services are pages that follow one another without a gap or a repeat',
      async run() {
        const first = await page('/services?limit=2');
        assert(first.rows.length <= 2, 'more rows came than were asked for');
        const seen = first.rows.map(({ _id }) => _id);
        let { next } = first;
        for (let count = 0; next && count < 5; count += 1) {
          const { rows, total, next: after } = await page(next);
          assert.equal(total, first.total, 'the total changed from page to page');
          seen.push(...rows.map(({ _id }) => _id));
          next = after;
        }
        assert.equal(new Set(seen).size, seen.length, 'a row came twice');
        const whole = await page(`/services?limit=${Math.max(1, Math.min(100, seen.length))}`);
        assert.deepEqual(
          seen,
          whole.rows.map(({ _id }) => _id),
          'pages of two and one large page differ',
        );
      },
    },
    {
      name: 'sort=rating puts the unrated last, and the best first',
      async run() {
        const { rows } = await page('/services?limit=100&sort=rating');
        const ratings = rows.map(({ averageRating }) => averageRating ?? 0);
        assert.deepEqual(
          ratings,
          ratings.toSorted((a, b) => b - a),
        );
      },
    },
    {
      name: 'a search without a letter or digit finds nothing',
      async run() {
        assert.deepEqual((await page(`/services?q=${encodeURIComponent('$.*')}`)).rows, []);
      },
    },
    {
      name: 'a list is answered anew only when it changed',
      async run() {
        const { headers } = await call('get', '/services?limit=1', 200);
        const tag = headers.get('ETag');
        assert(tag, 'there is no ETag');
        assert.equal(headers.get('Cache-Control'), 'no-cache');
        // Of its own accord Node would ask for a whole answer.
        const known = { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' };
        await call('get', '/services?limit=1', 304, { headers: known });
      },
    },
    {
      name: 'a service that nobody lists, and an id that is none, are 404',
      async run() {
        await call('get', `/services/${nobody}`, 404);
        await call('get', '/services/not-an-id', 404);
      },
    },
    {
      name: 'a review that nobody wrote is 404',
      async run() {
        await call('get', `/review/${nobody}`, 404);
      },
    },
    {
      name: 'an address that is none is 404',
      async run() {
        await call('get', '/no/such/address', 404);
      },
    },
  ];
}

/** The path of the next page, as the Link header says it. */
function nextOf({ headers }: Answer): string | undefined {
  return /<([^>]*)>;\s*rel="next"/.exec(headers.get('Link') ?? '')?.[1];
}
