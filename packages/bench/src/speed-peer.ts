// The servers that speed.ts compares with the API. This command starts one of them:
// node speed-peer.ts <kind> <port> <address of MongoDB> <database>
// Each has the usual middleware of its framework: security headers, CORS, a rate limit and a log line for each request.
// The exception is the server `baseline`. It uses no framework, and only sends stored responses with node:http.
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type Document, MongoClient, ObjectId } from 'mongodb';

const [kind = '', port = '', mongodbUri = '', database = ''] = process.argv.slice(2);
const origin = 'https://kitchen.example';
const requestsPerMinute = 1200;
const hiddenFields = { words: 0, titleWords: 0, usefulBy: 0 };
const newest = { createdAt: -1, _id: -1 } as const;

interface StoredResponse {
  headers: Record<string, string>;
  body: Buffer;
}

/** Starts a server that sends stored responses. A POST request stores the response for its path. */
function startBaseline(): void {
  const responses = new Map<string, StoredResponse>();
  createServer({ keepAliveTimeout: 75_000 }, (req, res) => {
    if (req.method === 'POST') {
      void store(req).then(() => res.end());
      return;
    }
    const response = responses.get(req.url ?? '');
    if (!response) res.writeHead(204).end();
    else res.writeHead(200, response.headers).end(response.body);
  }).listen(Number(port), '127.0.0.1');

  async function store(req: IncomingMessage): Promise<void> {
    const body = await buffer(req);
    responses.set(req.url ?? '', { headers: JSON.parse(String(req.headers['x-headers'])), body });
  }
}

/**
 * Connects to the database. Returns the queries that both frameworks use. They read the same rows as the queries of the
 * API, but do not count the rows.
 */
async function connect() {
  const client = await MongoClient.connect(mongodbUri);
  const db = client.db(database);
  const toRow = ({ _id, ...fields }: Document): Document => ({ _id: String(_id), ...fields });
  return {
    async services(limit: number) {
      const filter = { hiddenAt: null };
      const rows = await db
        .collection('services')
        .find(filter, { projection: hiddenFields, sort: newest })
        .limit(limit)
        .toArray();
      return rows.map(toRow);
    },
    async service(id: string) {
      const filter = { _id: new ObjectId(id), hiddenAt: null };
      const row = await db.collection('services').findOne(filter, { projection: hiddenFields });
      return row ? toRow(row) : null;
    },
    async reviews(serviceId: string, limit: number) {
      const filter = { serviceId: new ObjectId(serviceId), deletedAt: null };
      const rows = await db
        .collection('reviews')
        .find(filter, { projection: hiddenFields, sort: newest })
        .limit(limit)
        .toArray();
      return rows.map(toRow);
    },
  };
}

async function startFastify(): Promise<void> {
  const [{ default: fastify }, { default: helmet }, { default: cors }, { default: rateLimit }] = await Promise.all([
    import('fastify'),
    import('@fastify/helmet'),
    import('@fastify/cors'),
    import('@fastify/rate-limit'),
  ]);
  const queries = await connect();
  const app = fastify({ logger: true, trustProxy: true });
  await app.register(helmet);
  await app.register(cors, { origin });
  await app.register(rateLimit, { max: requestsPerMinute, timeWindow: '1 minute', cache: 100_000 });
  app.get<{ Querystring: { limit: string } }>('/services', ({ query }) => queries.services(Number(query.limit)));
  app.get<{ Params: { id: string } }>('/services/:id', ({ params }) => queries.service(params.id));
  app.get<{ Querystring: { serviceId: string; limit: string } }>('/allreview', ({ query }) =>
    queries.reviews(query.serviceId, Number(query.limit)),
  );
  await app.listen({ port: Number(port), host: '127.0.0.1' });
}

async function startExpress(): Promise<void> {
  const [{ default: express }, { default: helmet }, { default: cors }, { rateLimit }, { pinoHttp }] = await Promise.all(
    [import('express'), import('helmet'), import('cors'), import('express-rate-limit'), import('pino-http')],
  );
  const queries = await connect();
  const app = express();
  app.set('trust proxy', 1);
  app.use(pinoHttp(), helmet(), cors({ origin }), rateLimit({ limit: requestsPerMinute, windowMs: 60_000 }));
  app.get('/services', async (req, res) => {
    res.json(await queries.services(Number(req.query.limit)));
  });
  app.get('/services/:id', async (req, res) => {
    res.json(await queries.service(req.params.id));
  });
  app.get('/allreview', async (req, res) => {
    const { serviceId = '', limit } = req.query as Record<string, string>;
    res.json(await queries.reviews(serviceId, Number(limit)));
  });
  app.listen(Number(port), '127.0.0.1');
}

const start: Record<string, () => void | Promise<void>> = {
  baseline: startBaseline,
  fastify: startFastify,
  express: startExpress,
};
await start[kind]?.();
