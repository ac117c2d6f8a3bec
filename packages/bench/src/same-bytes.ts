// The least that a server in Node can do: it sends the page in the file that its second argument names.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file = ''] = process.argv.slice(2);
const page = JSON.parse(readFileSync(file, 'utf8')) as { headers: Record<string, string>; body: string };
const body = Buffer.from(page.body, 'base64');
// As long as the web server, so that no kept connection is closed under a request.
createServer({ keepAliveTimeout: 75_000 }, (_req, res) => res.writeHead(200, page.headers).end(body)).listen(
  Number(port),
  '127.0.0.1',
);
