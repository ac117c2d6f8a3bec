import { strict as assert } from 'node:assert';
import type { Case } from './case.ts';
import { type Customer, requestToken } from './customers.ts';
import type { Server } from './server.ts';

interface Conversation {
  _id: string;
  isUnread: boolean;
  status: string;
  messages: { text: string; createdAt: string }[];
}

/**
 * Creates the test cases for the conversation of a customer with a lister, and for the news about it. After the last test
 * case, the conversation is closed, and its service is withdrawn.
 */
export function conversationCases({ call }: Server, lister: Customer, customer: Customer): Case[] {
  // The first test case sets these values, and the later ones use them.
  let token = '';
  let listerToken = '';
  let serviceId = '';
  let path = '';

  const insert = async (place: string, as: string, json: object) =>
    ((await call('post', place, 201, { token: as, json })).body as { insertedId: string }).insertedId;
  const read = async (as: string) => (await call('get', path, 200, { token: as })).body as Conversation;
  const hasNews = async (as: string) =>
    ((await call('get', '/news?limit=100', 200, { token: as })).body as { requestId?: string }[]).some(
      ({ requestId }) => path.endsWith(String(requestId)),
    );

  return [
    {
      name: 'a customer can ask the lister of a service, and both read the conversation',
      async run() {
        [token, listerToken] = [await requestToken(call, customer), await requestToken(call, lister)];
        serviceId = await insert('/services', listerToken, { title: 'conformance conversations' });
        path = `/requests/${await insert(`/services/${serviceId}/requests`, token, { text: ' How <b>much</b>? ' })}`;
        assert.equal((await read(token)).messages[0]?.text, ' How <b>much</b>? ');
        assert.equal((await read(listerToken)).isUnread, true);
        const { body } = await call('get', `/requests?unread=1&serviceId=${serviceId}`, 200, { token: listerToken });
        assert.equal((body as Conversation[]).length, 1);
      },
    },
    {
      name: 'nobody can ask about their own service, or twice at the same time',
      async run() {
        const place = `/services/${serviceId}/requests`;
        await call('post', place, 403, { token: listerToken, json: { text: 'x' } });
        await call('post', place, 409, { token, json: { text: 'x' } });
        await call('post', `/services/${'0'.repeat(24)}/requests`, 404, { token, json: { text: 'x' } });
      },
    },
    {
      name: 'an invalid message is rejected with 400, 404, 413 or 415',
      async run() {
        const place = `${path}/messages`;
        for (const json of [
          {},
          { text: ' ' },
          { text: 'x'.repeat(2001) },
          { text: 'x', photos: [{ id: '0'.repeat(24) }] },
        ])
          await call('post', place, 400, { token, json });
        await call('post', `/requests/${'0'.repeat(24)}/messages`, 404, { token, json: { text: 'x' } });
        await call('post', place, 413, { token, json: { text: 'x'.repeat(40_000) } });
        await call('post', place, 415, { token, raw: 'text=x', type: 'application/x-www-form-urlencoded' });
      },
    },
    {
      name: 'a message is unread, and in the news of its recipient, until the recipient has read it',
      async run() {
        await insert(`${path}/messages`, listerToken, { text: 'From $100' });
        assert.deepEqual([(await read(token)).isUnread, await hasNews(token)], [true, true]);
        const until = (await read(token)).messages.at(-1)?.createdAt;
        await call('post', `${path}/read`, 204, { token, json: { until } });
        assert.deepEqual([(await read(token)).isUnread, await hasNews(token)], [false, false]);
        await call('get', '/news/count', 200, { token });
        await call('post', '/news/seen', 204, { token, json: { until } });
      },
    },
    {
      name: 'a customer can switch emails about news on and off, and an unknown link to unsubscribe returns 404',
      async run() {
        const isOn = async () =>
          ((await call('get', '/account/emails', 200, { token })).body as { isOn: boolean }).isOn;
        for (const choice of [true, false]) {
          await call('put', '/account/emails', 200, { token, json: { isOn: choice } });
          assert.equal(await isOn(), choice);
        }
        await call('put', '/account/emails', 400, { token, json: { isOn: 'yes' } });
        await call('get', '/account/emails', 401);
        await call('post', `/unsubscribe/${'0'.repeat(32)}`, 404, {
          raw: 'List-Unsubscribe=One-Click',
          type: 'application/x-www-form-urlencoded',
        });
      },
    },
    {
      name: 'an unchanged conversation is answered with 304',
      async run() {
        const { headers } = await call('get', path, 200, { token });
        await call('get', path, 304, { token, headers: { 'If-None-Match': headers.get('ETag') ?? '' } });
      },
    },
    {
      name: 'both participants can close the conversation, which then takes no more messages',
      async run() {
        await call('post', `${path}/close`, 204, { token });
        await call('post', `${path}/close`, 204, { token: listerToken });
        assert.equal((await read(token)).status, 'closed');
        await call('post', `${path}/messages`, 409, { token, json: { text: 'Too late' } });
        await call('delete', `/services/${serviceId}`, 200, { token: listerToken });
        await call('post', `/services/${serviceId}/requests`, 404, { token, json: { text: 'Too late' } });
      },
    },
    {
      name: 'conversations need an access token, and cannot be guessed',
      async run() {
        for (const place of [path, '/requests', '/news', '/news/count', `/pictures/p/${'0'.repeat(24)}`])
          await call('get', place, 401);
        await call('get', `/requests/${'0'.repeat(24)}`, 404, { token });
        await call('get', `/pictures/p/${'0'.repeat(24)}`, 404, { token });
      },
    },
  ];
}
