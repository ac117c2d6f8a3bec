import { config as loadDotenv } from 'dotenv';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { MongoClient } from 'mongodb';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { collectionsOf } from './database.ts';
import { reviewStore } from './reviews/reviews.store.ts';
import { summaries } from './reviews/summary.ts';
import { demoLogins, seed } from './seed/seed.ts';
import { serviceStore } from './services/services.store.ts';

// Fills the demonstration's database, once; with --reset it deletes everything there and fills it again. loadConfig lets
// the emulator have no other database than one whose name ends in _demo.
loadDotenv({ quiet: true });
try {
  await run(loadConfig(process.env), process.argv.includes('--reset'));
} catch (error) {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `Nothing more was put in: ${String(error)}\n`,
  );
  process.exitCode = 1;
}

async function run({ auth, mongodbUri, mongodbDatabase, webOrigins }: Config, reset: boolean): Promise<void> {
  if (auth.mode !== 'emulator')
    throw new Error('demo data belongs to AUTH_MODE=emulator, and never comes near a real project.');
  process.env.FIREBASE_AUTH_EMULATOR_HOST = auth.emulatorHost;
  const app = initializeApp({ projectId: auth.projectId });
  const client = new MongoClient(mongodbUri, { writeConcern: { w: 'majority' } });
  try {
    const db = client.db(mongodbDatabase);
    const collections = collectionsOf(db);
    await seed({
      db,
      services: serviceStore(collections),
      reviews: reviewStore(collections, summaries(collections)),
      auth: getAuth(app),
      webOrigin: webOrigins[0],
      reset,
    });
  } finally {
    await Promise.all([client.close(), deleteApp(app)]);
  }
  process.stdout.write(`${['Demo customers', ...demoLogins().map((line) => `  ${line}`)].join('\n')}\n`);
}
