import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { Case } from './case.ts';
import { type Customer, requestToken } from './customers.ts';
import type { Server } from './server.ts';

/** Creates the test cases for the service of a lister. The last test case withdraws the service. */
export function ownServiceCases({ call }: Server, one: Customer, other: Customer): Case[] {
  const title = `conformance ${randomUUID().slice(0, 8)}`;
  const contact = {
    phone: '+1 555 0100',
    website: 'https://ducts.example/',
    area: 'Brooklyn',
    hours: 'Mon to Fri, 8:00 to 18:00',
    licence: 'Gas 4711',
    insured: 'yes',
  };
  // The first test case sets these values, and the later ones use them.
  let token = '';
  let otherToken = '';
  let id = '';

  const read = async () => (await call('get', `/services/${id}`, 200)).body as Record<string, unknown>;
  const listOwn = async (of: string) =>
    ((await call('get', '/account/services?limit=100', 200, { token: of })).body as { _id: string }[]).map(
      ({ _id }) => _id,
    );

  return [
    {
      name: 'a service with contact fields and facts is listed with them, also among the services of its lister',
      async run() {
        [token, otherToken] = [await requestToken(call, one), await requestToken(call, other)];
        const { body } = await call('post', '/services', 201, { token, json: { title, ...contact } });
        id = (body as { insertedId: string }).insertedId;
        const service = await read();
        assert.deepEqual({ ...service, ...contact }, service);
        assert(service.listerName, 'the service has no lister name');
        assert((await listOwn(token)).includes(id));
        assert(!(await listOwn(otherToken)).includes(id), 'another customer lists the service as their own');
      },
    },
    {
      name: 'the page of the lister contains the service, and no uid or email address',
      async run() {
        const path = `/listers/${String((await read()).listerId)}`;
        const { body } = await call('get', path, 200);
        assert.deepEqual(
          Object.keys(body as object).filter((name) => /uid|email/i.test(name)),
          [],
        );
        const { body: rows } = await call('get', `${path}/services?limit=1`, 200);
        assert.equal((rows as { _id: string }[])[0]?._id, id);
        await call('get', `${path}/reviews?limit=1`, 200);
        await call('get', `${path}/services?after=x`, 400);
        for (const list of ['', '/services', '/reviews']) await call('get', `/listers/${'0'.repeat(24)}${list}`, 404);
      },
    },
    {
      name: 'another customer can neither edit, nor withdraw, nor restore the service',
      async run() {
        await call('patch', `/services/${id}`, 403, { token: otherToken, json: { title: 'taken over' } });
        await call('delete', `/services/${id}`, 403, { token: otherToken });
        await call('post', `/services/${id}/restore`, 403, { token: otherToken });
        assert.equal((await read()).title, title);
      },
    },
    {
      name: 'the lister can edit the fields of the service, and nothing else',
      async run() {
        for (const json of [
          {},
          { createdBy: 'x' },
          { listerName: 'x' },
          { website: 'javascript:alert(1)' },
          { insured: 'x' },
        ])
          await call('patch', `/services/${id}`, 400, { token, json });
        await call('patch', `/services/${'0'.repeat(24)}`, 404, { token, json: { title: 'x' } });
        await call('patch', `/services/${id}`, 200, { token, json: { area: 'Queens' } });
        assert.equal((await read()).area, 'Queens');
      },
    },
    {
      name: 'an edit of an older version is rejected with 412 and the current service',
      async run() {
        const { headers } = await call('get', `/services/${id}`, 200);
        const versioned = { token, headers: { 'If-Match': headers.get('ETag') ?? '' } };
        await call('patch', `/services/${id}`, 200, { ...versioned, json: { area: 'Bronx' } });
        const { body } = await call('patch', `/services/${id}`, 412, { ...versioned, json: { area: 'Harlem' } });
        assert.equal((body as { current?: { area?: string } }).current?.area, 'Bronx');
      },
    },
    {
      name: 'the lister can withdraw the service, restore it, and withdraw it again',
      async run() {
        await call('delete', `/services/${id}`, 200, { token });
        await call('get', `/services/${id}`, 404);
        await call('patch', `/services/${id}`, 404, { token, json: { title } });
        await call('post', `/services/${id}/restore`, 200, { token });
        assert.equal((await read()).title, title);
        await call('delete', `/services/${id}`, 200, { token });
        assert(!(await listOwn(token)).includes(id));
      },
    },
  ];
}
