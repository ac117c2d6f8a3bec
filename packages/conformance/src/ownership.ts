import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { Case } from './case.ts';
import { type Customer, readPayload, requestToken } from './customers.ts';
import type { Server } from './server.ts';

interface Inserted {
  acknowledged: boolean;
  insertedId: string;
}

/** Creates the test cases for tokens, invalid bodies, and the rights of the author of a review and of other customers. */
export function ownershipCases({ call }: Server, one: Customer, other: Customer): Case[] {
  const key = randomUUID();
  const mark = `conformance ${randomUUID().slice(0, 8)}`;
  // Some test cases set these values, and later ones use them.
  let token = '';
  let otherToken = '';
  let serviceId = '';
  let reviewId = '';
  let listerReviewId = '';

  const newReview = () => ({
    serviceId,
    review: `${mark} <b>&</b> as typed `,
    rating: 4,
    time: '10:15:00',
    date: '5/11/2026',
  });

  return [
    {
      name: 'POST /jwt accepts an ID token only for its own email',
      async run() {
        token = await requestToken(call, one);
        otherToken = await requestToken(call, other);
        await requestToken(call, { ...one, email: ` ${one.email.toUpperCase()} ` });
        await call('post', '/jwt', 403, { token: one.idToken, json: { email: other.email } });
        await call('post', '/jwt', 401, { token, json: { email: one.email } });
      },
    },
    {
      name: 'a changed access token is rejected with 401',
      async run() {
        const [header, , signature] = token.split('.');
        const changed = Buffer.from(JSON.stringify({ ...readPayload(token), sub: 'somebody' })).toString('base64url');
        const address = `/review?email=${encodeURIComponent(one.email)}`;
        await call('get', address, 401, { token: `${header}.${changed}.${signature}` });
        await call('get', address, 401, { token: one.idToken });
      },
    },
    {
      name: 'a new service can be read and searched, and does not show the email of its lister',
      async run() {
        const json = { title: `${mark} hood`, price: 'from $1,200', description: 'Added by the conformance check.' };
        const added = await call('post', '/services', 201, { token: otherToken, json });
        ({ insertedId: serviceId } = added.body as Inserted);
        const location = new URL(added.headers.get('Location') ?? '', 'http://api.example/services');
        assert.equal(location.pathname, `/services/${serviceId}`);
        const { body } = await call('get', `/services/${serviceId}`, 200);
        assert.doesNotMatch(JSON.stringify(body), new RegExp(`createdBy|${escapeRegExp(other.email)}`));
        const found = await call('get', `/services?q=${encodeURIComponent(mark.toUpperCase())}`, 200);
        assert.deepEqual(
          (found.body as { _id: string }[]).map(({ _id }) => _id),
          [serviceId],
        );
      },
    },
    {
      name: 'an invalid body is rejected with 400, 404, 413 or 415',
      async run() {
        await call('post', '/services', 400, { token, json: { title: 'x', colour: 'red' } });
        await call('post', '/services', 400, { token, json: { title: { $gt: '' } } });
        for (const img of [
          'http://2130706433/a.png',
          'http://[::ffff:10.0.0.1]/a.png',
          'https://me:pw@a.example/a.png',
        ])
          await call('post', '/services', 400, { token, json: { title: 'x', img } });
        await call('post', '/services', 400, { token, raw: '{"title": ' });
        await call('post', '/services', 413, { token, json: { description: 'x'.repeat(40_000) } });
        await call('post', '/services', 415, { token, raw: 'title=x', type: 'application/x-www-form-urlencoded' });
        await call('post', '/review', 400, { token, json: { ...newReview(), rating: 6 } });
        await call('post', '/review', 404, { token, json: { ...newReview(), serviceId: '0'.repeat(24) } });
      },
    },
    {
      name: 'a review with the email of another customer is rejected with 403',
      async run() {
        await call('post', '/review', 403, { token, json: { ...newReview(), email: other.email } });
        const headers = { 'Idempotency-Key': key };
        const { body } = await call('post', '/review', 201, { token, headers, json: newReview() });
        ({ insertedId: reviewId } = body as Inserted);
      },
    },
    {
      name: 'a repeated Idempotency-Key returns the first review, or 422 for another text',
      async run() {
        const headers = { 'Idempotency-Key': key };
        const again = await call('post', '/review', 201, { token, headers, json: newReview() });
        assert.equal((again.body as Inserted).insertedId, reviewId);
        await call('post', '/review', 422, { token, headers, json: { ...newReview(), review: 'another text' } });
      },
    },
    {
      name: 'the public review has the text as typed and no email',
      async run() {
        const list = await call('get', `/allreview?serviceId=${serviceId}`, 200);
        const single = await call('get', `/review/${reviewId}`, 200);
        const seen = await call('get', `/review/${reviewId}`, 200, { token: otherToken });
        for (const { body } of [list, single, seen]) {
          assert(!JSON.stringify(body).includes(one.email), 'the email is public');
          assert(JSON.stringify(body).includes(JSON.stringify(newReview().review)), 'the text is not as typed');
        }
        assert.equal((list.body as object[]).length, 1);
        const service = await call('get', `/services/${serviceId}`, 200);
        const { reviewCount, averageRating } = service.body as { reviewCount: number; averageRating: number };
        assert.deepEqual([reviewCount, averageRating], [1, 4], 'the service does not count the review');
      },
    },
    {
      name: 'a lister’s review of their own service is marked, and its stars do not count',
      async run() {
        const json = { ...newReview(), rating: 1 };
        const { body } = await call('post', '/review', 201, { token: otherToken, json });
        ({ insertedId: listerReviewId } = body as Inserted);
        const { body: read } = await call('get', `/review/${listerReviewId}`, 200);
        const { byLister, rating } = read as { byLister?: boolean; rating?: number };
        assert.deepEqual([byLister, rating], [true, 1], 'the review is not marked');
        const { body: service } = await call('get', `/services/${serviceId}`, 200);
        const { reviewCount, ratingCount, averageRating } = service as Record<string, number>;
        assert.deepEqual(
          [reviewCount, ratingCount, averageRating],
          [2, 1, 4],
          'the service counts the stars of its lister',
        );
        await call('delete', `/review/${listerReviewId}`, 200, { token: otherToken });
      },
    },
    {
      name: 'the author reads the review with its email, in a list that is private',
      async run() {
        const address = `/review?email=${encodeURIComponent(one.email)}&serviceId=${serviceId}`;
        const mine = await call('get', address, 200, { token });
        assert.deepEqual(
          (mine.body as { _id: string; email: string }[]).map(({ _id, email }) => [_id, email.toLowerCase()]),
          [[reviewId, one.email.toLowerCase()]],
        );
        assert.equal(mine.headers.get('Cache-Control'), 'private, no-store');
        await call('get', address, 403, { token: otherToken });
      },
    },
    {
      name: 'another customer can neither edit nor delete the review',
      async run() {
        await call('patch', `/review/${reviewId}`, 403, { token: otherToken, json: { review: 'taken over' } });
        await call('delete', `/review/${reviewId}`, 403, { token: otherToken });
        const { body } = await call('get', `/review/${reviewId}`, 200);
        assert.equal((body as { review: string }).review, newReview().review);
      },
    },
    {
      name: 'the author can edit the text and the stars, and nothing else',
      async run() {
        for (const json of [{}, { email: other.email }, { serviceId }, { review: 1 }])
          await call('patch', `/review/${reviewId}`, 400, { token, json });
        await call('patch', `/review/${'0'.repeat(24)}`, 404, { token, json: { review: 'x' } });
        const { body } = await call('patch', `/review/${reviewId}`, 200, {
          token,
          json: { review: 'Edited', rating: 2 },
        });
        assert.equal((body as { matchedCount: number }).matchedCount, 1);
        const read = await call('get', `/review/${reviewId}`, 200);
        const { review, rating } = read.body as { review: string; rating: number };
        assert.deepEqual([review, rating], ['Edited', 2]);
      },
    },
    {
      name: 'another customer can mark the review as useful, once',
      async run() {
        const vote = { usefulCount: 1, isUsefulToMe: true };
        for (let attempt = 0; attempt < 2; attempt += 1) {
          const { body } = await call('put', `/review/${reviewId}/useful`, 200, { token: otherToken });
          assert.deepEqual(body, vote, 'the vote is not counted once');
        }
        const list = `/allreview?serviceId=${serviceId}`;
        for (const path of [list, `${list}&sort=useful`, `/review/${reviewId}`]) {
          const read = async (reader?: string) => {
            const { body, headers } = await call('get', path, 200, { token: reader });
            if (reader) assert.equal(headers.get('Cache-Control'), 'private, no-store');
            const { usefulCount, isUsefulToMe } = [body].flat()[0] as { usefulCount: number; isUsefulToMe?: boolean };
            return { usefulCount, isUsefulToMe };
          };
          assert.deepEqual(await read(otherToken), vote);
          assert.deepEqual(await read(token), { usefulCount: 1, isUsefulToMe: false });
          assert.deepEqual(await read(), { usefulCount: 1, isUsefulToMe: undefined });
        }
        await call('get', list, 401, { token: `${token}x` });
        const votesOf = async (voter: string) =>
          (await call('get', '/account/votes', 200, { token: voter })).body as { reviewId: string }[];
        assert.deepEqual(
          (await votesOf(otherToken)).map((own) => own.reviewId),
          [reviewId],
        );
        assert.deepEqual(await votesOf(token), [], 'the votes of another customer are listed');
        const { body } = await call('delete', `/review/${reviewId}/useful`, 200, { token: otherToken });
        assert.deepEqual(body, { usefulCount: 0, isUsefulToMe: false });
      },
    },
    {
      name: 'customers cannot mark their own review, or a review that does not exist, as useful',
      async run() {
        for (const method of ['put', 'delete'] as const) {
          await call(method, `/review/${reviewId}/useful`, 403, { token });
          await call(method, `/review/${'0'.repeat(24)}/useful`, 404, { token });
          await call(method, '/review/not-an-id/useful', 404, { token });
          await call(method, `/review/${reviewId}/useful?for=1`, 400, { token: otherToken });
        }
        const { body } = await call('get', `/review/${reviewId}`, 200);
        assert.equal((body as { usefulCount: number }).usefulCount, 0);
      },
    },
    {
      name: 'the author can delete the review, restore it, and delete it again',
      async run() {
        const remove = () => call('delete', `/review/${reviewId}`, 200, { token });
        assert.equal(((await remove()).body as { deletedCount: number }).deletedCount, 1);
        await call('get', `/review/${reviewId}`, 404);
        await call('post', `/review/${reviewId}/restore`, 403, { token: otherToken });
        await call('post', `/review/${reviewId}/restore`, 200, { token });
        await call('get', `/review/${reviewId}`, 200);
        await remove();
        assert.deepEqual((await call('get', `/allreview?serviceId=${serviceId}`, 200)).body, []);
      },
    },
  ];
}

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
