import { strict as assert } from 'node:assert';
import type { Case } from './case.ts';
import { type Customer, requestToken } from './customers.ts';
import type { Server } from './server.ts';

/** Creates the test cases for the reply to a review. The last test case withdraws the service. */
export function replyCases({ call }: Server, lister: Customer, author: Customer): Case[] {
  // The first test case sets these values, and the later ones use them.
  let token = '';
  let authorToken = '';
  let serviceId = '';
  let reviewId = '';
  let path = '';

  const insert = async (place: string, as: string, json: object) =>
    ((await call('post', place, 201, { token: as, json })).body as { insertedId: string }).insertedId;
  const readReply = async () =>
    ((await call('get', `/review/${reviewId}`, 200)).body as { reply?: Record<string, string> }).reply;

  return [
    {
      name: 'the lister can reply to a review of their service, and everyone can read the reply',
      async run() {
        [token, authorToken] = [await requestToken(call, lister), await requestToken(call, author)];
        serviceId = await insert('/services', token, { title: 'conformance replies' });
        reviewId = await insert('/review', authorToken, { serviceId, review: 'Came on time' });
        path = `/review/${reviewId}/reply`;
        await call('put', path, 200, { token, json: { text: ' Thank <b>you</b> ' } });
        assert.equal((await readReply())?.text, ' Thank <b>you</b> ');
        const { body } = await call('get', `/allreview?serviceId=${serviceId}&sort=unanswered`, 200);
        assert.deepEqual((body as { reply: unknown }[])[0]?.reply, await readReply());
      },
    },
    {
      name: 'nobody but the lister can edit or delete the reply, not even the author of the review',
      async run() {
        await call('put', path, 403, { token: authorToken, json: { text: 'taken over' } });
        await call('delete', path, 403, { token: authorToken });
        await call('put', path, 401, { json: { text: 'taken over' } });
        await call('put', path, 401, { token: `${token}x`, json: { text: 'taken over' } });
        await call('put', path, 401, { token: lister.idToken, json: { text: 'taken over' } });
        await call('delete', path, 401);
        assert.equal((await readReply())?.text, ' Thank <b>you</b> ');
      },
    },
    {
      name: 'an invalid reply is rejected with 400, 404, 413 or 415',
      async run() {
        for (const json of [{}, { text: '' }, { text: ' \n' }, { text: 1 }, { text: 'x'.repeat(2001) }])
          await call('put', path, 400, { token, json });
        await call('put', path, 400, { token, json: { text: 'x', name: 'Somebody else' } });
        await call('put', path, 413, { token, json: { text: 'x'.repeat(40_000) } });
        await call('put', path, 415, { token, raw: 'text=x', type: 'application/x-www-form-urlencoded' });
        await call('put', `/review/${'0'.repeat(24)}/reply`, 404, { token, json: { text: 'x' } });
        await call('put', '/review/not-an-id/reply', 404, { token, json: { text: 'x' } });
        await call('delete', `/review/${'0'.repeat(24)}/reply`, 404, { token });
      },
    },
    {
      name: 'the lister cannot reply to their own review',
      async run() {
        const own = await insert('/review', token, { serviceId, review: 'We are the best' });
        await call('put', `/review/${own}/reply`, 403, { token, json: { text: 'Indeed' } });
        await call('delete', `/review/${own}`, 200, { token });
      },
    },
    {
      name: 'an edit of the reply keeps its first date, and does not make the author’s own edit outdated',
      async run() {
        const { headers } = await call('get', `/review/${reviewId}`, 200, { token: authorToken });
        const before = await readReply();
        await call('put', path, 200, { token, json: { text: 'Thank you again' } });
        const after = await readReply();
        assert.deepEqual([after?.text, after?.createdAt], ['Thank you again', before?.createdAt]);
        assert(Date.parse(after?.updatedAt ?? '') > Date.parse(before?.updatedAt ?? ''), 'the reply is not edited');
        const ifMatch = { 'If-Match': headers.get('ETag') ?? '' };
        const json = { review: 'Came on time, twice' };
        await call('patch', `/review/${reviewId}`, 200, { token: authorToken, headers: ifMatch, json });
      },
    },
    {
      name: 'only the lister can list their replies, and the number of reviews without a reply',
      async run() {
        const listed = async (as: string) =>
          ((await call('get', '/account/replies?limit=100', 200, { token: as })).body as { reviewId: string }[]).some(
            (reply) => reply.reviewId === reviewId,
          );
        assert.deepEqual([await listed(token), await listed(authorToken)], [true, false]);
        const find = async (as: string, query: string) =>
          (await call('get', `/account/replies?${query}`, 200, { token: as })).body;
        assert.equal(((await find(token, `reviewId=${reviewId}`)) as unknown[]).length, 1);
        assert.deepEqual(await find(token, `reviewId=${reviewId}&hidden=true`), []);
        assert.deepEqual(await find(authorToken, `reviewId=${reviewId}`), []);
        const own = await call('get', `/account/services?serviceId=${serviceId}`, 200, { token });
        assert.equal((own.body as { unansweredCount: number }[])[0]?.unansweredCount, 0);
      },
    },
    {
      name: 'a deleted reply disappears, and a review that cannot be read accepts no reply',
      async run() {
        await call('delete', path, 200, { token });
        assert.equal(await readReply(), undefined);
        await call('delete', path, 404, { token });
        await call('delete', `/review/${reviewId}`, 200, { token: authorToken });
        await call('put', path, 404, { token, json: { text: 'Too late' } });
        await call('delete', `/services/${serviceId}`, 200, { token });
      },
    },
  ];
}
