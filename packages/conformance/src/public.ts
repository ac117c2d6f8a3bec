import { strict as assert } from 'node:assert';
import type { Case } from './case.ts';
import type { Server } from './server.ts';

interface Row {
  _id: string;
  title?: string;
  averageRating?: number | null;
}

const unknownId = '0'.repeat(24);

/** Creates the test cases for routes that need no token. */
export function publicCases({ call }: Server): Case[] {
  const page = async (path: string) => {
    const { body, headers } = await call('get', path, 200);
    return { rows: body as Row[], total: Number(headers.get('X-Total-Count')), next: nextOf(path, headers) };
  };
  return [
    {
      name: 'pages of services have no gap and no repeated row',
      async run() {
        const first = await page('/services?limit=2');
        assert(first.rows.length <= 2, 'the page has more rows than requested');
        const seen = first.rows.map(({ _id }) => _id);
        let { next } = first;
        for (let count = 0; next && count < 5; count += 1) {
          const { rows, total, next: after } = await page(next);
          assert.equal(total, first.total, 'the total changed from page to page');
          seen.push(...rows.map(({ _id }) => _id));
          next = after;
        }
        assert.equal(new Set(seen).size, seen.length, 'a row appears twice');
        const whole = await page(`/services?limit=${Math.max(1, Math.min(100, seen.length))}`);
        assert.deepEqual(
          seen,
          whole.rows.map(({ _id }) => _id),
          'pages of two and one large page differ',
        );
      },
    },
    {
      name: 'sort=rating lists the best services first and unrated services last',
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
      name: 'a service is suggested for the first word of a title, and can be opened',
      async run() {
        const title = (await page('/services?limit=1')).rows[0]?.title ?? '';
        const [word] = title.match(/[a-z]+/i) ?? [];
        if (!word) return;
        const { body } = await call('get', `/services/suggestions?q=${word}`, 200);
        assert((body as unknown[]).length > 0, 'there is no suggestion');
        const service = (body as { kind: string; text: string; serviceId?: string }[]).find(
          ({ kind }) => kind === 'service',
        );
        if (!service) return;
        const { body: opened } = await call('get', `/services/${service.serviceId}`, 200);
        assert.equal((opened as { title: string }).title.trim(), service.text);
      },
    },
    {
      name: 'an unchanged list returns 304',
      async run() {
        const { headers } = await call('get', '/services?limit=1', 200);
        const tag = headers.get('ETag');
        assert(tag, 'there is no ETag');
        assert.equal(headers.get('Cache-Control'), 'no-cache');
        // Without `Cache-Control: max-age=0`, fetch adds `Cache-Control: no-cache` to a request with If-None-Match. The
        // server would then respond with 200.
        const known = { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' };
        await call('get', '/services?limit=1', 304, { headers: known });
      },
    },
    {
      name: 'an unknown and a malformed service id return 404',
      async run() {
        await call('get', `/services/${unknownId}`, 404);
        await call('get', '/services/not-an-id', 404);
      },
    },
    {
      name: 'an unknown review id returns 404',
      async run() {
        await call('get', `/review/${unknownId}`, 404);
      },
    },
    {
      name: 'an unknown path returns 404',
      async run() {
        await call('get', '/no/such/address', 404);
      },
    },
  ];
}

/** Returns the path and the query of the next page. The URL in the Link header may be relative to `currentPage`. */
function nextOf(currentPage: string, headers: Headers): string | undefined {
  const reference = /<([^>]*)>;\s*rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  if (reference === undefined) return undefined;
  const { pathname, search } = new URL(reference, `http://api.example${currentPage}`);
  return pathname + search;
}
