// Fills a database with many reviews, starts the API over it, and asks each route that customers wait for: how long it
// takes, and how the database carries out the very commands that the API sent. Prints Markdown for docs/scaling.md.
// --services=, --reviews=, --hot= and --regular= say how much; --data= keeps the database in a folder and uses it again.
import { execFile } from 'node:child_process';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startStack } from '@rtr/dev-stack/stack';
import { BSON, type Document, MongoClient } from 'mongodb';
import { furnish, type People } from './kitchens.ts';

const run = promisify(execFile);
const say = (line: string) => process.stdout.write(`${line}\n`);
const argument = (name: string) => process.argv.find((text) => text.startsWith(`--${name}=`))?.slice(name.length + 3);
const number = (name: string, usual: number) => Number(argument(name) ?? usual);

const size = {
  services: number('services', 10_000),
  reviews: number('reviews', 1_000_000),
  ofHotService: number('hot', 100_000),
  byRegular: number('regular', 10_000),
};
/** How often each request is timed. */
const calls = 5;
/** How many pages of 100 a deep page is away from the first. */
const deep = 50;

const scratch = await mkdtemp(join(tmpdir(), 'rtr-plans-'));
const commandsFile = join(scratch, 'commands');
writeFileSync(commandsFile, '');
const data = argument('data');
const stack = await startStack({
  ...(data !== undefined && { dataFolder: resolve(data) }),
  serve: false,
  env: {
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    MONGODB_DATABASE: 'plans_demo',
    METRICS_PORT: '0', // with metrics the driver tells of its commands
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('./commands.ts', import.meta.url))}`,
    BENCH_COMMANDS: commandsFile,
  },
  say,
});
const client = new MongoClient(stack.mongodbUri);
const db = client.db('plans_demo');
try {
  const { version } = await db.admin().command({ buildInfo: 1 });
  for (const line of await stack.run('migrate')) say(line);
  const people = { regular: await signedUp('regular'), newcomer: await signedUp('newcomer') };
  if ((await db.collection('services').estimatedDocumentCount()) === 0) await furnish(db, size, people, say);
  await stack.processes.api?.start();
  say(
    `\n${new Date().toISOString().slice(0, 10)}, MongoDB ${version}, ${size.services} services, ${size.reviews} reviews.\n`,
  );
  await askAll(people);
  await weighIndexes();
  await stream();
} finally {
  await client.close();
  await stack.stop();
  await rm(scratch, { recursive: true, force: true });
}

async function askAll({ regular, newcomer }: People): Promise<void> {
  const api = stack.addresses.api;
  const authorization = Object.fromEntries(
    await Promise.all([regular, newcomer].map(async ({ email }) => [email, `Bearer ${await jwtOf(email)}`] as const)),
  );
  const get = (path: string, email?: string) => async () => {
    const response = await fetch(`${api}${path}`, {
      headers: email === undefined ? {} : { authorization: authorization[email] ?? '' },
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}`);
  };
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: authorization[newcomer.email] ?? '', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { insertedId?: string };
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer.insertedId ?? '';
  };
  const deepIn = async (path: string, email?: string): Promise<string> => {
    let next = `${path}&limit=100`;
    for (let page = 0; page < deep; page += 1) {
      const { headers } = await fetch(`${api}${next}`, {
        headers: email === undefined ? {} : { authorization: authorization[email] ?? '' },
      });
      const link = /^<([^>]*)>/.exec(headers.get('link') ?? '')?.[1];
      if (link === undefined) break;
      next = link;
    }
    return next.replace('limit=100', 'limit=20');
  };

  const hot = await hotService();
  const ordinary = await db.collection('services').findOne({ reviewCount: { $gte: 30, $lt: 60 } });
  const own = await db.collection('reviews').findOne({ uid: regular.uid, deletedAt: null });
  const hotReviews = `/allreview?serviceId=${hot}`;
  const ownReviews = `/review?email=${encodeURIComponent(regular.email)}`;

  say('| Request | ms | Command | Plan | Keys | Docs | Rows | ms in it |');
  say('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const sort of ['newest', 'title', 'price', 'rating']) {
    await ask(`services by ${sort}`, get(`/services?sort=${sort}&limit=20`));
    await ask(`services by ${sort}, deep`, get(await deepIn(`/services?sort=${sort}`)));
  }
  await ask('services, `q=hood 4711`', get('/services?q=hood%204711&limit=20'));
  await ask('services, `q=hood repair`', get('/services?q=hood%20repair&limit=20'));
  await ask('services, `q=hood repair` by rating', get('/services?q=hood%20repair&limit=20&sort=rating'));
  await ask('services, `q=home away`', get('/services?q=home%20away&limit=20'));
  await ask('services, `q=c`', get('/services?q=c&limit=20'));
  await ask('one service', get(`/services/${hot}`));
  await ask('reviews of an ordinary service', get(`/allreview?serviceId=${String(ordinary?._id)}&limit=20`));
  for (const sort of ['newest', 'highest', 'lowest']) {
    await ask(`reviews of the hot service, ${sort}`, get(`${hotReviews}&sort=${sort}&limit=20`));
    await ask(`reviews of the hot service, ${sort}, deep`, get(await deepIn(`${hotReviews}&sort=${sort}`)));
  }
  await ask('reviews of the hot service with 5 stars', get(`${hotReviews}&rating=5&limit=20`));
  await ask('one review', get(`/review/${String(own?._id)}`));
  await ask(`own reviews, of ${size.byRegular}`, get(`${ownReviews}&limit=20`, regular.email));
  await ask('own reviews, deep', get(await deepIn(ownReviews, regular.email), regular.email));
  await ask('own reviews of a service', get(`${ownReviews}&serviceId=${own?.serviceId}&limit=20`, regular.email));

  const write = (service: unknown) =>
    send('POST', '/review', { serviceId: String(service), review: 'Quick and clean', rating: 4 });
  await ask('a review of an ordinary service', () => write(ordinary?._id));
  await ask('a review of the hot service', () => write(hot));
  const id = await write(hot);
  await ask('its deletion and restoring', async () => {
    await send('DELETE', `/review/${id}`);
    await send('POST', `/review/${id}/restore`);
  });
}

/** A line for each command that the request takes; says so when it fails, as too slow ones do. */
async function ask(what: string, request: () => Promise<unknown>): Promise<void> {
  let failure = '';
  const attempt = () =>
    request().catch((error: unknown) => {
      failure = ` (${String(error)})`;
    });
  await attempt();
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    truncateSync(commandsFile);
    const since = performance.now();
    await attempt();
    times.push(performance.now() - since);
  }
  const commands = readFileSync(commandsFile, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => BSON.EJSON.parse(line) as Document)
    .filter((command) => !isOfSweep(command));
  const median = times.toSorted((a, b) => a - b)[Math.floor(calls / 2)] ?? Number.NaN;
  for (const [index, command] of commands.entries()) {
    const request = index === 0 ? [what, median.toFixed(0) + failure] : ['', ''];
    say(`| ${[...request, ...(await explained(command))].join(' | ')} |`);
  }
}

/** Once a minute, whatever is asked. */
function isOfSweep({ filter }: Document): boolean {
  return filter?.recheckAt !== undefined || filter?.finishedAt !== undefined;
}

/** Command, plan, keys, documents, rows and time, as the database tells of carrying it out. */
async function explained(sent: Document): Promise<string[]> {
  const { lsid: _, $db: __, maxTimeMS: ___, ...command } = sent;
  const [name = ''] = Object.keys(command);
  const title = `${name} ${String(command[name])}`;
  if (!['find', 'aggregate', 'update', 'delete', 'distinct'].includes(name)) return [title, '', '', '', '', ''];
  const told = await db.command({ explain: command, verbosity: 'executionStats' });
  const cursor = told.stages?.[0]?.$cursor ?? told;
  const { totalKeysExamined, totalDocsExamined, nReturned, executionTimeMillis } = cursor.executionStats;
  const rows = told.stages?.at(-1)?.nReturned ?? nReturned;
  const { winningPlan } = cursor.queryPlanner;
  const plan = stagesOf(winningPlan.queryPlan ?? winningPlan);
  return [title, plan, totalKeysExamined, totalDocsExamined, rows, executionTimeMillis].map(String);
}

/** 'LIMIT, FETCH, IXSCAN newest', from the last stage to the first; equal branches are told once. */
function stagesOf(stage: Document): string {
  const below: Document[] = stage.inputStages ?? (stage.inputStage ? [stage.inputStage] : []);
  const branches = Map.groupBy(below.map(stagesOf), (branch) => branch);
  const own = [stage.stage, stage.indexName].filter(Boolean).join(' ');
  const rest = [...branches].map(([branch, { length }]) => (length > 1 ? `${length} × (${branch})` : branch));
  return [own, ...rest].join(', ');
}

async function weighIndexes(): Promise<void> {
  say('\n| Collection | Index | MB | MB for 100 times as many |');
  say('| --- | --- | --- | --- |');
  for (const name of ['services', 'reviews']) {
    const stats = await db.command({ collStats: name });
    const sizes: Record<string, number> = stats.indexSizes;
    const rows = { [`(${stats.count} rows)`]: stats.size, ...sizes, 'all indexes': stats.totalIndexSize };
    for (const [index, bytes] of Object.entries(rows))
      say(`| ${name} | ${index} | ${(bytes / 1e6).toFixed(1)} | ${Math.round(bytes / 1e4)} |`);
  }
}

/** Reads all reviews of the hot service at once, and looks at the API's memory meanwhile. */
async function stream(): Promise<void> {
  const hot = await hotService();
  const pid = stack.processes.api?.running()?.pid;
  const memory = async () => Number((await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout) / 1024;
  const before = await memory();
  let most = before;
  let bytes = 0;
  let looked = performance.now();
  const since = performance.now();
  const { body } = await fetch(`${stack.addresses.api}/allreview?serviceId=${hot}`);
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (performance.now() - looked < 100) continue;
    most = Math.max(most, await memory());
    looked = performance.now();
  }
  const seconds = (performance.now() - since) / 1000;
  say(
    `\nA bare GET /allreview of the hot service: ${(bytes / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s; the API held ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most meanwhile.`,
  );
}

async function hotService(): Promise<string> {
  return String((await db.collection('services').findOne({}, { sort: { reviewCount: -1 } }))?._id);
}

/** A customer of the Auth emulator, who may be there from the last time. */
async function signedUp(name: string): Promise<{ uid: string; email: string }> {
  const email = `${name}@kitchen.example`;
  const { localId } = await accounts('signUp', email).catch(() => accounts('signInWithPassword', email));
  return { uid: localId, email };
}

async function jwtOf(email: string): Promise<string> {
  const { idToken } = await accounts('signInWithPassword', email);
  const response = await fetch(`${stack.addresses.api}/jwt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  if (!response.ok) throw new Error(`POST /jwt answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}

async function accounts(call: string, email: string): Promise<{ localId: string; idToken: string }> {
  const address = `${stack.addresses.authEmulator}/identitytoolkit.googleapis.com/v1/accounts:${call}?key=any`;
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'plans of queries', returnSecureToken: true }),
  });
  if (!response.ok) throw new Error(`accounts:${call} answered ${response.status}`);
  return (await response.json()) as { localId: string; idToken: string };
}
