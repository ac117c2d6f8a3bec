import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStack } from '@rtr/dev-stack/stack';
import { BSON, type Db, type Document, MongoClient } from 'mongodb';
import { signUpOrLogIn } from './customers.ts';
import { isPeriodic } from './database-commands.ts';
import { say } from './say.ts';
import { type Size, seedDatabase } from './seed-database.ts';

export type SeededStack = Awaited<ReturnType<typeof startSeededStack>>;

interface Options {
  size: Size;
  /** The folder that keeps the database for later runs. By default, it is a temporary folder. */
  dataFolder: string | undefined;
}

/** Starts the API with a database of the given size. Records the database commands that each request causes. */
export async function startSeededStack({ size, dataFolder }: Options) {
  const scratch = await mkdtemp(join(tmpdir(), 'rtr-bench-'));
  const commandsFile = join(scratch, 'commands');
  writeFileSync(commandsFile, '');
  const database = 'bench_demo';
  const stack = await startStack({
    ...(dataFolder !== undefined && { dataFolder }),
    serve: false,
    env: {
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      MONGODB_DATABASE: database,
      // This setting turns the metrics on, on any free port. With metrics, the MongoDB driver emits the events that
      // record-commands.ts records.
      METRICS_PORT: '0',
      NODE_OPTIONS: `--import=${fileURLToPath(new URL('./record-commands.ts', import.meta.url))}`,
      BENCH_COMMANDS: commandsFile,
    },
    say,
  });
  const client = new MongoClient(stack.mongodbUri);
  const stop = async () => {
    await client.close();
    await stack.stop();
    await rm(scratch, { recursive: true, force: true });
  };
  try {
    const db = client.db(database);
    const customers = {
      regular: await signUpOrLogIn(stack.addresses, 'regular'),
      newcomer: await signUpOrLogIn(stack.addresses, 'newcomer'),
    };
    await stack.run('migrate');
    await seedOnce(db, () => seedDatabase(db, size, customers, say));
    await stack.processes.api?.start();
    return {
      stack,
      db,
      customers,
      size,
      stop,

      /** Sends a request and measures its time. If it fails, `failure` says why. */
      async time(send: () => Promise<unknown>): Promise<{ ms: number; failure: string }> {
        truncateSync(commandsFile);
        const startedAt = performance.now();
        const failure = await send().then(
          () => '',
          (error: unknown) => ` (${String(error)})`,
        );
        return { ms: performance.now() - startedAt, failure };
      },

      /** Returns the commands that the API has sent to the database since the start of the last timed request. */
      readCommands: (): Document[] =>
        readFileSync(commandsFile, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => BSON.EJSON.parse(line) as Document)
          .filter((command) => !isPeriodic(command)),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Seeds an empty database. A mark in the database shows later runs that the seeding was completed. */
async function seedOnce(db: Db, seed: () => Promise<void>): Promise<void> {
  const marks = db.collection<{ _id: string }>('benchmark');
  if (await marks.findOne({ _id: 'seeded' })) return;
  if ((await db.collection('reviews').estimatedDocumentCount()) > 0)
    throw new Error('An earlier run ended before the database was complete. Delete the data folder.');
  await seed();
  await marks.insertOne({ _id: 'seeded' });
}
