// The server that web-server.ts compares the web server with: plain node:http. Sends the page in the file that the second
// argument names.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file = ''] = process.argv.slice(2);
const page = JSON.parse(readFileSync(file, 'utf8')) as { headers: Record<string, string>; body: string };
const body = Buffer.from(page.body, 'base64');
// The same timeout as in the web server, so that no connection is closed at the moment when the client reuses it.
createServer({ keepAliveTimeout: 75_000 }, (_req, res) => res.writeHead(200, page.headers).end(body)).listen(
  Number(port),
  '127.0.0.1',
);
