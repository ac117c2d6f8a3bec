import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, type RequestListener, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { closeGracefully, createHttpServer, defaultSendTimeoutMs } from '../src/http-server.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A request listener that responds with the body of the request. */
const echo: RequestListener = (req, res) => {
  // If a request takes too long, the server closes the connection and the body cannot be read. The tests expect this error.
  text(req).then(
    (body) => res.end(body),
    () => {},
  );
};

async function start(timeouts?: Parameters<typeof createHttpServer>[1]): Promise<{ server: Server; port: number }> {
  server = createHttpServer(echo, timeouts).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

describe('createHttpServer', () => {
  test('allows 10 s for headers, 30 s for a request and 75 s for an idle connection', () => {
    expect(createHttpServer()).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 75_000,
    });
  });

  const timeouts = { headersTimeoutMs: 500, requestTimeoutMs: 1000, checkIntervalMs: 50 };

  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: kitchen.example\r\n', 'X-More: 1\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nHost: kitchen.example\r\nContent-Length: 1000\r\n\r\n', 'x'],
  ])(
    'closes the connection of a client that sends %s slowly, and serves other clients meanwhile',
    async (_, head, more) => {
      const { port } = await start(timeouts);
      const socket = connect(port, '127.0.0.1');
      // The server may reset the connection while the client writes. This error does not fail the test.
      socket.on('error', () => {});
      socket.resume().write(head);
      const timer = setInterval(() => socket.write(more), 100);
      const closed = new Promise((resolve) => {
        socket.once('close', resolve);
      }).finally(() => clearInterval(timer));
      expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(200);
      await closed;
    },
  );

  test('closes the connection of a client that sends bytes but reads no response', async () => {
    const { server, port } = await start({ sendTimeoutMs: 500, checkIntervalMs: 50 });
    server.removeAllListeners('request').on('request', (_req, res) => res.end(Buffer.alloc(50_000_000)));
    const socket = connect(port, '127.0.0.1').pause();
    // The server may reset the connection while the client writes. This error does not fail the test.
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: kitchen.example\r\n\r\n');
    // The client sends empty lines, which Node ignores between requests. Each line restarts a timeout of the socket,
    // but must not restart the timeout that this test checks.
    const timer = setInterval(() => socket.write('\r\n'), 100);
    await once(server, 'request');
    await expect.poll(() => countConnections(server)).toBe(0);
    clearInterval(timer);
    socket.destroy();
  });

  test('closes the connection of a client that sends only empty lines after its first request', async () => {
    const { port } = await start({ sendTimeoutMs: 500, checkIntervalMs: 50 });
    const socket = connect(port, '127.0.0.1').resume();
    // The server may reset the connection while the client writes. This error does not fail the test.
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: kitchen.example\r\n\r\n');
    const timer = setInterval(() => socket.write('\r\n'), 100);
    await expect.poll(() => socket.closed).toBe(true);
    clearInterval(timer);
  });

  test('keeps the connection of a client that reads 30 KB of its response each second', async () => {
    // In this test, a second lasts 5 ms. The checks of the server and the reads of the client are timers of the same
    // event loop, so a busy machine delays both.
    const secondMs = 5;
    const { server, port } = await start({
      sendTimeoutMs: (defaultSendTimeoutMs / 1000) * secondMs,
      checkIntervalMs: secondMs,
    });
    server.removeAllListeners('request').on('request', (_req, res) => res.end(Buffer.alloc(30_000_000)));
    const socket = connect(port, '127.0.0.1').pause();
    // If the server closes the connection, the socket may emit an error. Ignore this error: the test then fails because
    // `countConnections` returns 0.
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: kitchen.example\r\n\r\n');
    let receivedBytes = 0;
    const timer = setInterval(() => {
      receivedBytes += (socket.read(30_000) as Buffer | null)?.length ?? 0;
    }, secondMs);
    await expect.poll(() => socket.destroyed || receivedBytes > 8_000_000).toBe(true);
    clearInterval(timer);
    expect(await countConnections(server)).toBe(1);
    socket.destroy();
  });

  test('responds with 408 to a client that sends only a part of its request', async () => {
    const { port } = await start(timeouts);
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: kitchen.example\r\nContent-Length: 1000\r\n\r\nx');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });
});

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

describe('closeGracefully', () => {
  const agent = new Agent({ keepAlive: true });

  /** Starts a request that announces a body of 4 bytes, and does not send the body. */
  async function startRequest(port: number): Promise<ClientRequest> {
    const pending = request({ port, agent, method: 'POST', headers: { 'Content-Length': '4' } });
    pending.flushHeaders();
    await once(server ?? pending, 'request');
    return pending;
  }

  test('accepts connections until the shutdown delay ends', async () => {
    const { server, port } = await start();
    const shutdown = new AbortController();
    const closed = closeGracefully(server, { shutdown, delayMs: 1000 });
    expect(shutdown.signal.aborted).toBe(true);
    expect((await fetch(`http://127.0.0.1:${port}`)).status).toBe(200);
    await closed;
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow('fetch failed');
  });

  test('serves a connection that is still in the accept queue when the shutdown delay ends', async () => {
    const { server, port } = await start();
    const isConnected = new Int32Array(new SharedArrayBuffer(4));
    // The client runs in a worker thread, so that it can connect while the event loop of the server is blocked.
    const client = new Worker(
      `const { connect } = require('node:net');
       const { text } = require('node:stream/consumers');
       const { parentPort, workerData } = require('node:worker_threads');
       const socket = connect(workerData.port, '127.0.0.1', () => {
         Atomics.store(workerData.isConnected, 0, 1);
         Atomics.notify(workerData.isConnected, 0);
       });
       socket.write('GET / HTTP/1.1\\r\\nHost: kitchen.example\\r\\nConnection: close\\r\\n\\r\\n');
       text(socket).catch(String).then((response) => parentPort.postMessage(response));`,
      { eval: true, workerData: { port, isConnected } },
    );
    const response = once(client, 'message');
    await once(client, 'online');
    const closed = closeGracefully(server, { shutdown: new AbortController(), delayMs: 10 });
    // After a `setImmediate` callback, Node runs timers before it accepts connections. The callback takes longer than the
    // shutdown delay. So the delay ends while the connection is still in the accept queue.
    setImmediate(() => {
      Atomics.wait(isConnected, 0, 0);
      Atomics.wait(isConnected, 0, 1, 50); // Wait until the shutdown delay has ended.
    });
    expect(await response).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 /)]);
    await closed;
  });

  test('waits for a pending response, and then closes its keep-alive connection without waiting for the timeout', async () => {
    const { server, port } = await start();
    const pending = await startRequest(port);
    const closed = closeGracefully(server, { shutdown: new AbortController(), delayMs: 0, drainTimeoutMs: 1e9 });
    await expect.poll(() => server.listening).toBe(false);
    const response = once(pending, 'response');
    pending.end('body');
    const [message] = (await response) as [IncomingMessage];
    expect([message.statusCode, message.headers.connection, await text(message)]).toEqual([200, 'keep-alive', 'body']);
    await closed;
  });

  test('responds to a request on a connection that was idle when the shutdown began', async () => {
    const { server, port } = await start();
    const get = async () => {
      const [message] = (await once(request({ port, agent }).end(), 'response')) as [IncomingMessage];
      return [message.statusCode, await text(message)];
    };
    expect(await get()).toEqual([200, '']);
    const closed = closeGracefully(server, { shutdown: new AbortController(), delayMs: 0, idleGraceMs: 60_000 });
    await expect.poll(() => server.listening).toBe(false);
    expect(await get()).toEqual([200, '']);
    agent.destroy();
    await closed;
  });

  test('keeps a connection open for the whole grace time after a response that began before the shutdown', async () => {
    const { server, port } = await start();
    const pending = await startRequest(port);
    const idleGraceMs = 600;
    const closed = closeGracefully(server, { shutdown: new AbortController(), delayMs: 0, idleGraceMs });
    await sleep(idleGraceMs / 2);
    const endedAt = performance.now();
    pending.end('body');
    const [message] = (await once(pending, 'response')) as [IncomingMessage];
    expect([message.headers.connection, await text(message)]).toEqual(['keep-alive', 'body']);
    await closed;
    // A timer of Node can run up to 1 ms early.
    expect(performance.now() - endedAt).toBeGreaterThanOrEqual(idleGraceMs - 1);
  });

  test('waits for responses that take longer than the grace time, also on a connection that was idle', async () => {
    const { server, port } = await start();
    const first = await startRequest(port);
    await once(request({ port, agent }).end(), 'response').then(([message]) => text(message));
    const idleGraceMs = 50;
    const closed = closeGracefully(server, { shutdown: new AbortController(), delayMs: 0, idleGraceMs });
    const second = await startRequest(port);
    const responses = Promise.all([once(first, 'response'), once(second, 'response')]);
    await sleep(4 * idleGraceMs);
    first.end('1234');
    second.end('5678');
    const bodies = (await responses).map(([message]) => text(message));
    expect(await Promise.all(bodies)).toEqual(['1234', '5678']);
    expect([first.reusedSocket, second.reusedSocket]).toEqual([false, true]);
    await closed;
  });

  test('responds to a request that arrived on an idle connection while the event loop was blocked', async () => {
    const { server, port } = await start();
    const get = 'GET / HTTP/1.1\r\nHost: kitchen.example\r\n\r\n';
    let received = '';
    const client = connect(port, '127.0.0.1').on('data', (bytes: Buffer) => {
      received += bytes.toString();
    });
    const ended = once(client, 'close');
    client.write(get);
    await expect.poll(() => received).toMatch('200 OK');
    const closed = closeGracefully(server, { shutdown: new AbortController(), delayMs: 0 });
    await expect.poll(() => server.listening).toBe(false);
    // After a `setImmediate` callback, Node runs timers before it reads requests. So the grace time ends before Node reads
    // the request.
    setImmediate(() => {
      client.write(get);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100); // Wait until the grace time of 1 s has ended.
    });
    await Promise.all([closed, ended]);
    expect(received.match(/200 OK/g)).toHaveLength(2);
  });

  test('closes the connections that stay idle, even those that have sent no request yet', async () => {
    const { server, port } = await start({ headersTimeoutMs: 600_000, requestTimeoutMs: 600_000 });
    const [unused, idle] = [connect(port, '127.0.0.1').resume(), connect(port, '127.0.0.1')];
    idle.write('GET / HTTP/1.1\r\nHost: kitchen.example\r\n\r\n');
    await Promise.all([once(unused, 'connect'), once(idle, 'data')]);
    await expect.poll(() => countConnections(server)).toBe(2);
    const startedAt = performance.now();
    await closeGracefully(server, {
      shutdown: new AbortController(),
      delayMs: 0,
      idleGraceMs: 50,
      drainTimeoutMs: 1e9,
    });
    await expect.poll(() => [unused.closed, idle.closed]).toEqual([true, true]);
    // Before the shutdown, Node keeps an idle connection open for 75 s.
    expect(performance.now() - startedAt).toBeLessThan(40_000);
  });

  test('aborts a response that is still pending after the timeout', async () => {
    const { server, port } = await start();
    const pending = await startRequest(port);
    const aborted = once(pending, 'error');
    await closeGracefully(server, { shutdown: new AbortController(), delayMs: 0, drainTimeoutMs: 300 });
    expect(await aborted).toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
  });
});
