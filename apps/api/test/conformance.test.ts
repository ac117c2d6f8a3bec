import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Result, runChecks } from '@rtr/conformance/checks';
import { signUpCustomers } from '@rtr/conformance/customers';
import type { OpenApiDocument } from '@rtr/conformance/document';
import { junit } from '@rtr/conformance/junit';
import { describe, expect, inject, test } from 'vitest';
import { createTestApp } from './support/test-app.ts';

// Tests the conformance checks: the API must pass them, and a server that violates the contract must fail them.

const { origin: url, db } = await createTestApp();
const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument;
const emulator = `http://${inject('authEmulatorHost')}`;
const customers = await signUpCustomers(emulator);

const failuresOf = (results: Result[]) =>
  results.filter(({ outcome }) => outcome === 'failed').map(({ name, reason }) => `${name}: ${reason}`);

test('the API passes all conformance checks, which also close the moderation cases that they open, and sends only database commands that the role of its database user allows', async () => {
  const limited = await createTestApp({ env: { RATE_LIMITS: 'on' } });
  const results = await runChecks({ url: limited.origin, document, customers: await signUpCustomers(emulator) });
  expect(failuresOf(results)).toEqual([]);
  expect(results.filter(({ group }) => group === 'ownership').length).toBeGreaterThan(8);
  const cases = await limited.db.collection('cases').find().toArray();
  expect(cases).toMatchObject([{ status: 'closed' }, { status: 'closed' }]);

  await limited.api.get('/readyz').expect(200);
  const sent = (await limited.readMetrics()).matchAll(/^mongodb_command_duration_seconds_count\{command="(\w+)"\}/gm);
  // The commands that the role `documents` in deploy/replica-set.js allows. The metrics name all commands in this list. They
  // count unknown commands as `other`, which is not in the list.
  const allowed =
    'aggregate count delete distinct find findAndModify getMore insert killCursors listIndexes ping update';
  const commands = [...sent].map(([, command]) => command);
  expect(commands).toEqual(expect.arrayContaining(['findAndModify', 'listIndexes', 'update']));
  expect(allowed.split(' ')).toEqual(expect.arrayContaining(commands));
});

test('the conformance checks send reports only if a moderator can close the moderation cases', async () => {
  const cases = db.collection('cases');
  await cases.deleteMany({});
  const results = await runChecks({ url, document, customers: customers.slice(0, 2) });
  expect(results.filter(({ outcome }) => outcome === 'skipped')).toMatchObject([{ group: 'reports' }]);
  expect(await cases.countDocuments()).toBe(0);
});

test('the conformance checks that need customers are reported as skipped when no customers are given', async () => {
  const results = await runChecks({ url, document, customers: [] });
  expect(failuresOf(results)).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === 'skipped')).toEqual([
    expect.objectContaining({ group: 'ownership', reason: 'The cases need two customers.' }),
    expect.objectContaining({ group: 'own services', reason: 'The cases need two customers.' }),
    expect.objectContaining({ group: 'replies', reason: 'The cases need two customers.' }),
    expect.objectContaining({ group: 'conversations', reason: 'The cases need two customers.' }),
    expect.objectContaining({ group: 'reports', reason: expect.stringContaining('a moderator') }),
  ]);
});

describe('the conformance command', () => {
  const entry = fileURLToPath(import.meta.resolve('@rtr/conformance/checks')).replace('checks.ts', 'run.ts');
  const run = (...args: string[]) => spawn(process.execPath, [entry, ...args], { env: {} });

  test('checks a server, and writes a JUnit report', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rtr-conformance-'));
    const file = join(folder, 'reports/found.xml');
    const child = run('--url', `${url}/`, '--auth-emulator', `${emulator}/`, '--junit', file);
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect([stdout.match(/✗.*/g), code]).toEqual([null, 0]);
    expect(stdout).toContain('✓ ownership: ');
    expect(readFileSync(file, 'utf8')).toContain('classname="ownership"');
    rmSync(folder, { recursive: true });
  });

  test.each([
    [['--url', 'http://127.0.0.1:1'], 'fetch failed: bad port'],
    [['--url', `${url}/nowhere`], 'Set --document to the address of the OpenAPI document'],
    [['--adress', url], "Unknown option '--adress'"],
  ])('with the invalid arguments %j, exits with 2 and prints the problem in one line', async (args, reason) => {
    const child = run(...args);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(stderr).toContain(reason);
    expect([stderr.trim().split('\n'), code]).toEqual([[expect.anything()], 2]);
  });
});

describe('the conformance checks', () => {
  interface ServerResponse {
    status: number;
    headers: Headers;
    body: string;
  }
  type ChangeResponse = (req: IncomingMessage, response: ServerResponse) => Partial<ServerResponse>;

  /** Runs the conformance checks against a proxy that changes the responses of the API. Returns the cases that failed. */
  async function findFailures(changeResponse: ChangeResponse, options = { customers }): Promise<string[]> {
    const respondTo = async (req: IncomingMessage): Promise<ServerResponse> => {
      const { host: _host, connection: _connection, ...headers } = req.headers as Record<string, string>;
      const body = await buffer(req);
      const response = await fetch(`${url}${req.url}`, {
        method: req.method ?? 'GET',
        headers,
        ...(body.length > 0 && { body }),
      });
      const sent = { status: response.status, headers: new Headers(response.headers), body: await response.text() };
      for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
        sent.headers.delete(name);
      return { ...sent, ...changeResponse(req, sent) };
    };
    const proxy = createServer((req, res) => {
      respondTo(req).then(
        ({ status, headers, body }) => res.writeHead(status, Object.fromEntries(headers)).end(body),
        (error: unknown) => res.destroy(error as Error),
      );
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    try {
      const proxied = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      return failuresOf(await runChecks({ url: proxied, document, ...options }));
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  }

  test('fail for a server that does not return 401 for a forged token', async () => {
    // The test cases with forged tokens need no customers. Without customers, fewer other test cases run.
    const replace401 = (_req: IncomingMessage, { status }: ServerResponse) => (status === 401 ? { status: 400 } : {});
    const failures = await findFailures(replace401, { customers: [] });
    expect(failures.join('\n')).toContain('a forged token');
  });

  test('report each deviation of a server that deviates in many ways', async () => {
    const failures = await findFailures(({ method, url = '' }, { status, headers, body }) => {
      if (status === 401) headers.delete('www-authenticate');
      if (method === 'PATCH' && status === 403)
        return { status: 200, body: '{"acknowledged":true,"matchedCount":1,"modifiedCount":1}' };
      if (status === 404) return { body: body.replace('"detail":"', '"detail":"MongoServerError ') };
      const withEmails = url.startsWith('/allreview') ? body.replaceAll('{"_id"', '{"email":"a@b.c","_id"') : body;
      return { body: url.includes('after=') ? withEmails.replace(/^\[(.+)\]$/, '[$1,$1]') : withEmails };
    });
    const found = failures.join('\n');
    expect(found, 'emails in public reviews').toContain('must NOT have additional properties');
    expect(found, 'an edit by another customer').toContain('another customer can neither edit nor delete the review');
    expect(found, 'no challenge for a token').toContain('without WWW-Authenticate');
    expect(found, 'internal errors in problems').toContain('with internal details');
    expect(found, 'repeated rows on pages').toContain('a row appears twice');
  });
});

test('the JUnit report of the conformance checks contains every test case, with escaped texts', () => {
  const xml = junit([
    { group: 'public', name: 'a & b', seconds: 0.5, outcome: 'passed' },
    { group: 'inputs', name: 'c', seconds: 0, outcome: 'failed', reason: 'expected "<no>"\nand \u0000 ended' },
    { group: 'ownership', name: 'd', seconds: 0, outcome: 'skipped', reason: 'nobody' },
  ]);
  expect(xml).toContain('tests="3" failures="1" skipped="1"');
  expect(xml).toContain('name="a &amp; b" time="0.500"/>');
  expect(xml).toContain('<failure message="expected &quot;&lt;no&gt;&quot;&#10;and   ended"/>');
  expect(xml).toContain('<skipped message="nobody"/>');
});
