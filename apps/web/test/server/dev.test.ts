import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort, startNode, waitUntilReady } from '@rtr/dev-stack/processes';
import { emptyService, type Service } from '@rtr/shared';
import { expect, onTestFinished, test } from 'vitest';

const webFolder = fileURLToPath(new URL('../../', import.meta.url));

test('the development server starts, renders a page from the source files, and exits with 0 on SIGTERM', async () => {
  const service: Service = {
    ...emptyService,
    _id: '0123456789abcdef01234567',
    title: 'Hood repair',
    price: 'from $120',
    description: 'We mend hoods.',
    listerName: '',
    listerId: '',
    createdAt: '2026-11-05T10:15:00.000Z',
    updatedAt: '2026-11-05T10:15:00.000Z',
    reviewCount: 0,
    ratingCount: 0,
    averageRating: null,
  };
  const api = createServer((_req, res) => res.end(JSON.stringify([service]))).listen(0, '127.0.0.1');
  await once(api, 'listening');
  onTestFinished(() => void api.close());
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = startNode({
    name: 'Web',
    entry: `${webFolder}server/dev.ts`,
    cwd: webFolder,
    env: {
      NODE_ENV: 'development',
      VITEST: undefined,
      AUTH_MODE: 'emulator',
      API_ORIGIN: `http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      WEB_PORT: String(port),
    },
  });
  onTestFinished(() => server.kill());
  await waitUntilReady(`${origin}/healthz`, new AbortController().signal);

  const page = await fetch(`${origin}/services`);
  const html = await page.text();
  expect(page.status, html).toBe(200);
  expect(html).toContain('>Services</h1>');
  expect(html).toContain('We mend hoods.');
  expect(html).toContain('src="/@vite/client"');
  const entry = await fetch(`${origin}/src/entry-client.tsx`);
  expect([entry.status, entry.headers.get('content-type')]).toEqual([200, 'text/javascript']);

  await server.stop();
  expect(await server.exited).toMatchObject({ code: 0 });
});
