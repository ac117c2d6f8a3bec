import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll } from 'vitest';

/** A TCP proxy in front of a server. Tests use it to simulate network failures. */
export interface TcpProxy {
  /** The address of the proxy, such as '127.0.0.1:4000'. After `disconnect`, it stays the same. */
  host: string;
  /** Closes all connections and rejects new connections. */
  disconnect: () => Promise<void>;
  /** Keeps connections open and accepts new connections, but forwards no data. */
  stall: () => void;
  /** Keeps connections open, but reads no data, so that the socket buffers become full. */
  stopReading: () => void;
  /** Ends the effect of `disconnect`, `stall` or `stopReading`. */
  reconnect: () => Promise<void>;
}

/**
 * Starts a proxy in front of `target`, which is 'host:port' or the path of a Unix socket. Call this function at the top of a
 * test file, because it also closes the proxy after the last test of the file.
 */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let isStalled = false;

  const server = createServer((client) => {
    const upstream = target.startsWith('/') ? connect(target) : connect(Number(port), host);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    client.on('data', (bytes) => isStalled || upstream.write(bytes)).on('close', () => upstream.destroy());
    upstream.on('data', (bytes) => isStalled || client.write(bytes)).on('close', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxyPort = (server.address() as AddressInfo).port;

  async function disconnect(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server.close(), 'close');
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  afterAll(disconnect);

  return {
    host: `127.0.0.1:${proxyPort}`,
    disconnect,
    stall() {
      isStalled = true;
    },
    stopReading() {
      for (const socket of sockets) socket.pause();
    },
    async reconnect() {
      // The bytes that a stalled connection has lost never arrive. Close it, so that the client does not notice this only at
      // the end of a timeout, in the middle of a later test.
      if (isStalled) for (const socket of sockets) socket.destroy();
      isStalled = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await once(server.listen(proxyPort, '127.0.0.1'), 'listening');
    },
  };
}

/** Starts a proxy in front of MongoDB. Returns a connection string that uses the proxy. */
export async function startMongodbProxy(uri: string): Promise<TcpProxy & { uri: string }> {
  const { host = '', credentials = '' } =
    /^mongodb:\/\/(?<credentials>[^/@]*@)?(?<host>[^/,?]+)/.exec(uri)?.groups ?? {};
  const proxy = await startTcpProxy(decodeURIComponent(host));
  const options = new URLSearchParams(uri.split('?')[1]);
  // With `replicaSet`, the driver would connect to the addresses of the replica set members, and bypass this proxy.
  options.delete('replicaSet');
  options.set('directConnection', 'true');
  return { ...proxy, uri: `mongodb://${credentials}${proxy.host}/?${options.toString()}` };
}
