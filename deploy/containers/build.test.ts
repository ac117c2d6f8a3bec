import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repository, run } from './support/product.ts';

const imageOf = (name: string) => run(`docker image inspect --format '{{.Id}}' rtr-cloud-kitchen/${name}:test`);
const files = ['apps/api/src/server.ts', 'apps/web/server/main.ts'];

afterAll(() => run(`git checkout --quiet ${files.join(' ')} && docker compose build`));

test('after a change of the API and the web server, a build reuses the layers with the dependencies of the API, and the images of the Auth emulator and the proxy', async () => {
  const dependencies = () =>
    run(`docker image inspect --format '{{json .RootFS.Layers}}' rtr-cloud-kitchen/api:test`).then((layers) =>
      (JSON.parse(layers) as string[]).slice(0, -1),
    );
  const before = [await dependencies(), await imageOf('auth-emulator'), await imageOf('proxy')];
  const changed = [await imageOf('api'), await imageOf('web')];
  for (const file of files) appendFileSync(join(repository, file), `\nprocess.env.CHANGED = '${randomUUID()}';\n`);
  const since = performance.now();
  await run('docker compose build');
  process.stdout.write(`Rebuilt after a change in ${Math.round((performance.now() - since) / 1000)} s.\n`);
  expect([await dependencies(), await imageOf('auth-emulator'), await imageOf('proxy')]).toEqual(before);
  for (const [index, name] of ['api', 'web'].entries()) expect(await imageOf(name)).not.toBe(changed[index]);
});
