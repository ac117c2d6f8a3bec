import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@rtr/dev-stack/processes';
import startServers from '@rtr/dev-stack/vitest-setup';
import type { TestProject } from 'vitest/node';

const run = promisify(execFile);

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * A folder with the contents of the container images: `api`, `auth-emulator`, `web` and `proxy`. It also contains the
     * programs `node` and `caddy`, which every user can execute.
     */
    images: string;
    /** The connection string of MongoDB, without a database name. Every user of the machine can connect to this MongoDB. */
    mongodbUri: string;
    authEmulatorHost: string;
  }
}

/**
 * Creates the contents of the container images without Docker, by the same steps as the Dockerfile. Also starts MongoDB and
 * the Auth emulator.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const caddy = await run('sh', ['-c', 'command -v caddy']).then(
    ({ stdout }) => stdout.trim(),
    () => {
      throw new Error('There is no caddy on PATH. Install it, such as by apt-get install caddy.');
    },
  );
  const images = await mkdtemp(join(tmpdir(), 'rtr-images-'));
  const [stopServers] = await Promise.all([startServers(project), makeImages(images, caddy)]);
  const forward = await forwardToSocket(project.getProvidedContext().mongodbUri);
  project.provide('images', images);
  project.provide('mongodbUri', forward.uri);
  return async () => {
    forward.close();
    await stopServers();
    await run('chmod', ['-R', 'u+w', ...['api', 'web', 'proxy'].map((name) => join(images, name))]);
    await rm(images, { recursive: true });
  };
}

async function makeImages(images: string, caddy: string): Promise<void> {
  const [api, web, proxy] = ['api', 'web', 'proxy'].map((name) => join(images, name)) as [string, string, string];
  const built = join(root, 'apps/web/dist');
  const deploy = async (name: string, options: string[], folder: string, env?: Record<string, string>) => {
    const prune = ['-y', 'pnpm@12', '--filter', name, 'deploy', ...options, folder];
    await run('npx', prune, { cwd: root, env: { ...process.env, ...env } });
  };
  // pnpm must copy the files. If they were hard links, chmod would change the permissions of the files in the pnpm store.
  await deploy('@rtr/api', ['--prod'], api, { pnpm_config_package_import_method: 'copy' });
  await run('chmod', ['-R', 'a-w,a+rX', api]);
  await deploy('@rtr/dev-stack', ['--prod', '--no-optional'], join(images, 'auth-emulator'));
  await cp(built, web, { recursive: true });
  await mkdir(proxy);
  await copyFile(join(root, 'deploy/Caddyfile'), join(proxy, 'Caddyfile'));
  await copyFile(process.execPath, join(images, 'node'));
  await copyFile(caddy, join(images, 'caddy'));
  await run('chmod', ['-R', 'a-w,a+rX', web, proxy]);
  await run('chmod', ['a+rx', images]);
}

/**
 * Opens a TCP port that forwards to a Unix socket. The programs under test run as another operating-system user, who
 * may not be allowed to use the socket.
 */
async function forwardToSocket(uri: string): Promise<{ uri: string; close: () => void }> {
  const socket = /^mongodb:\/\/(%2F[^/?]+)/i.exec(uri)?.[1];
  if (socket === undefined) return { uri, close: () => undefined };
  const server = createServer((near) => {
    const far = connect(decodeURIComponent(socket));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { uri: uri.replace(socket, `127.0.0.1:${port}`), close: () => server.close() };
}
