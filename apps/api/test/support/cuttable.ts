import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/** A line to a server that a test can cut: real connections that break, refuse or go silent. */
export interface CuttableLine {
  /** '127.0.0.1:port', the same before and after a cut. */
  host: string;
  /** Breaks what is open, and refuses more. */
  cut: () => Promise<void>;
  /** Keeps what is open, takes more, and carries nothing. */
  silence: () => void;
  mend: () => Promise<void>;
}

/** `target` is 'host:port', or the path of a Unix socket. Call it at the top of a test file: it cleans up after it. */
export async function cuttableLine(target: string): Promise<CuttableLine> {
  const [host = '', port = ''] = target.split(':');
  const ends = new Set<Socket>();
  let silent = false;

  const server = createServer((near) => {
    const far = target.startsWith('/') ? connect(target) : connect(Number(port), host);
    for (const end of [near, far]) {
      ends.add(end);
      end.on('error', () => end.destroy()).on('close', () => ends.delete(end));
    }
    near.on('data', (bytes) => silent || far.write(bytes)).on('close', () => far.destroy());
    far.on('data', (bytes) => silent || near.write(bytes)).on('close', () => near.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const own = (server.address() as AddressInfo).port;

  async function cut(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server.close(), 'close');
    for (const end of ends) end.destroy();
    await closed;
  }
  afterAll(cut);

  return {
    host: `127.0.0.1:${own}`,
    cut,
    silence() {
      silent = true;
    },
    async mend() {
      silent = false;
      if (!server.listening) await once(server.listen(own, '127.0.0.1'), 'listening');
    },
  };
}

/** A line to MongoDB, and the connection string that leads over it. */
export async function cuttableMongodb(uri: string): Promise<CuttableLine & { uri: string }> {
  const { host = '', credentials = '' } =
    /^mongodb:\/\/(?<credentials>[^/@]*@)?(?<host>[^/,?]+)/.exec(uri)?.groups ?? {};
  const line = await cuttableLine(decodeURIComponent(host));
  const options = new URLSearchParams(uri.split('?')[1]);
  options.delete('replicaSet'); // the one member that the line leads to
  options.set('directConnection', 'true');
  return { ...line, uri: `mongodb://${credentials}${line.host}/?${options.toString()}` };
}
