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
    else if (req.headers['if-none-match'] === response.headers.etag)
      res.writeHead(304, { etag: response.headers.etag }).end();
    else res.writeHead(200, response.headers).end(response.body);
  }).listen(Number(port), '127.0.0.1');

  async function store(req: IncomingMessage): Promise<void> {
    const body = await buffer(req);
    responses.set(req.url ?? '', { headers: JSON.parse(String(req.headers['x-headers'])), body });
  }
}

/**
 * Connects to the database. Returns the queries that all frameworks use. They read the same rows as the queries of the
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

async function startNest(): Promise<void> {
  await import('reflect-metadata');
  const [{ Controller, Get, Module, Param, Query }, { NestFactory }, { FastifyAdapter }] = await Promise.all([
    import('@nestjs/common'),
    import('@nestjs/core'),
    import('@nestjs/platform-fastify'),
  ]);
  const [{ default: helmet }, { default: rateLimit }] = await Promise.all([
    import('@fastify/helmet'),
    import('@fastify/rate-limit'),
  ]);
  const queries = await connect();

  class ReadsController {
    services(limit: string) {
      return queries.services(Number(limit));
    }
    service(id: string) {
      return queries.service(id);
    }
    reviews(serviceId: string, limit: string) {
      return queries.reviews(serviceId, Number(limit));
    }
  }
  class ReadsModule {
    readonly name = 'reads';
  }
  // Node.js cannot run the syntax of decorators, so they are called as functions.
  const { prototype } = ReadsController;
  const addRoute = (path: string, name: 'services' | 'service' | 'reviews', parameters: ParameterDecorator[]) => {
    for (const [index, parameter] of parameters.entries()) parameter(prototype, name, index);
    Get(path)(prototype, name, Object.getOwnPropertyDescriptor(prototype, name) ?? {});
  };
  addRoute('services', 'services', [Query('limit')]);
  addRoute('services/:id', 'service', [Param('id')]);
  addRoute('allreview', 'reviews', [Query('serviceId'), Query('limit')]);
  Controller()(ReadsController);
  Module({ controllers: [ReadsController] })(ReadsModule);

  const adapter = new FastifyAdapter({ logger: true, trustProxy: true });
  const app = await NestFactory.create(ReadsModule, adapter, { logger: false });
  const fastify = adapter.getInstance();
  await fastify.register(helmet);
  await fastify.register(rateLimit, { max: requestsPerMinute, timeWindow: '1 minute', cache: 100_000 });
  app.enableCors({ origin });
  await app.listen(Number(port), '127.0.0.1');
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

async function startHono(): Promise<void> {
  const [{ Hono }, { cors }, { secureHeaders }, { logger }, { serve }, { rateLimiter }] = await Promise.all([
    import('hono'),
    import('hono/cors'),
    import('hono/secure-headers'),
    import('hono/logger'),
    import('@hono/node-server'),
    import('hono-rate-limiter'),
  ]);
  const queries = await connect();
  const app = new Hono();
  const keyGenerator = (context: { req: { header: (name: string) => string | undefined } }) =>
    context.req.header('x-forwarded-for') ?? '';
  app.use(
    logger(),
    secureHeaders(),
    cors({ origin }),
    rateLimiter({ windowMs: 60_000, limit: requestsPerMinute, keyGenerator }),
  );
  app.get('/services', async (context) => context.json(await queries.services(Number(context.req.query('limit')))));
  app.get('/services/:id', async (context) => context.json(await queries.service(context.req.param('id'))));
  app.get('/allreview', async (context) =>
    context.json(await queries.reviews(context.req.query('serviceId') ?? '', Number(context.req.query('limit')))),
  );
  serve({ fetch: app.fetch, port: Number(port), hostname: '127.0.0.1' });
}

const start: Record<string, () => void | Promise<void>> = {
  baseline: startBaseline,
  fastify: startFastify,
  express: startExpress,
  hono: startHono,
  nest: startNest,
};
await start[kind]?.();
