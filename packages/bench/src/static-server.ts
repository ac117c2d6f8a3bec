// This plain node:http server always sends the same page. web-server.ts compares the CPU time of the web server with
// it. The arguments are the port, and the file that contains the page.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file = ''] = process.argv.slice(2);
const page = JSON.parse(readFileSync(file, 'utf8')) as { headers: Record<string, string>; body: string };
const body = Buffer.from(page.body, 'base64');
// The keep-alive timeout is the same as in the web server. It is long, so that the server does not close a connection that
// the client is about to reuse.
createServer({ keepAliveTimeout: 75_000 }, (_req, res) => res.writeHead(200, page.headers).end(body)).listen(
  Number(port),
  '127.0.0.1',
);
