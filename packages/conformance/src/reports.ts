import { strict as assert } from 'node:assert';
import type { Case } from './case.ts';
import { type Customer, requestToken } from './customers.ts';
import type { Server } from './server.ts';

interface Report {
  target: { kind: string; id: string };
  reason: string;
  status: string;
}

/**
 * Creates the test cases for reports. Customers send reports, and only moderators read them. After the last test case,
 * the moderator has closed all reports, and the reported service is withdrawn.
 */
export function reportCases(
  { call }: Server,
  { reporter, author, moderator }: Record<'reporter' | 'author' | 'moderator', Customer>,
): Case[] {
  // The first test case sets these values, and the later ones use them.
  let token = '';
  let authorToken = '';
  let serviceId = '';
  let reviewId = '';

  const insert = async (place: string, json: object) =>
    ((await call('post', place, 201, { token: authorToken, json })).body as { insertedId: string }).insertedId;
  const listReports = async (of: string) =>
    (await call('get', '/account/reports?limit=100', 200, { token: of })).body as Report[];
  const paths = () => [`/review/${reviewId}/report`, `/services/${serviceId}/report`];

  return [
    {
      name: 'a customer can report a review and a service, and a repeated report replaces the first',
      async run() {
        [token, authorToken] = [await requestToken(call, reporter), await requestToken(call, author)];
        serviceId = await insert('/services', { title: 'conformance reports' });
        reviewId = await insert('/review', { serviceId, review: 'Reported by the conformance check' });
        for (const path of paths()) {
          await call('post', path, 201, { token, json: { reason: 'spam', text: 'x'.repeat(500) } });
          await call('post', path, 200, { token, json: { reason: 'other' } });
        }
      },
    },
    {
      name: 'reports of one’s own content are rejected with 403',
      async run() {
        for (const path of paths()) await call('post', path, 403, { token: authorToken, json: { reason: 'spam' } });
      },
    },
    {
      name: 'invalid reports are rejected with 400 or 404',
      async run() {
        for (const path of paths())
          for (const json of [
            {},
            { reason: 'boring' },
            { reason: 'spam', text: 'x'.repeat(501) },
            { reason: 'spam', about: 'author' },
            { reason: 'spam', uid: 'somebody' },
          ])
            await call('post', path, 400, { token, json });
        for (const about of ['reply', 'picture'])
          await call('post', `/review/${reviewId}/report`, 404, { token, json: { reason: 'spam', about } });
        for (const path of ['/review', '/services'])
          for (const id of ['0'.repeat(24), 'x'])
            await call('post', `${path}/${id}/report`, 404, { token, json: { reason: 'spam' } });
      },
    },
    {
      name: 'only the sender can list a report',
      async run() {
        const own = (await listReports(token)).filter(({ target }) => [reviewId, serviceId].includes(target.id));
        assert.deepEqual(
          own.map(({ target, reason, status }) => [target.kind, reason, status]),
          [
            ['service', 'other', 'open'],
            ['review', 'other', 'open'],
          ],
        );
        assert(!JSON.stringify(await listReports(authorToken)).includes(reviewId), 'another customer lists the report');
      },
    },
    {
      name: 'the routes for moderators respond with 404 to other customers',
      async run() {
        for (const customer of [token, authorToken]) {
          await call('get', '/moderation', 404, { token: customer });
          const json = { action: 'hide', reason: 'taken over', version: '1' };
          for (const id of [`review-${reviewId}`, `service-${serviceId}`, 'x'])
            await call('post', `/moderation/${id}`, 404, { token: customer, json });
        }
        await call('get', `/review/${reviewId}`, 200);
      },
    },
    {
      name: 'a moderator can hide, restore and dismiss reported content, which closes the cases',
      async run() {
        const moderatorToken = await requestToken(call, moderator);
        const act = async (caseId: string, action: string) => {
          const place = `/moderation/${caseId}`;
          const json = { action, reason: 'Conformance check', version: 'outdated' };
          // The response to an outdated action contains the current case.
          const outdated = await call('post', place, 412, { token: moderatorToken, json });
          const { version } = (outdated.body as { current: { version: string } }).current;
          const { body } = await call('post', place, 200, {
            token: moderatorToken,
            json: { ...json, version },
          });
          return (body as { status: string }).status;
        };
        await call('get', '/moderation?limit=1', 200, { token: moderatorToken });
        assert.equal(await act(`review-${reviewId}`, 'hide'), 'closed');
        await call('get', `/review/${reviewId}`, 404);
        await act(`review-${reviewId}`, 'restore');
        await call('get', `/review/${reviewId}`, 200);
        assert.equal(await act(`service-${serviceId}`, 'dismiss'), 'closed');
        const own = (await listReports(token)).filter(({ target }) => [reviewId, serviceId].includes(target.id));
        assert.deepEqual(
          own.map(({ status }) => status),
          ['closed', 'closed'],
        );
      },
    },
    {
      name: 'a withdrawn service and its review cannot be reported',
      async run() {
        await call('delete', `/services/${serviceId}`, 200, { token: authorToken });
        for (const path of paths()) await call('post', path, 404, { token, json: { reason: 'spam' } });
      },
    },
  ];
}
