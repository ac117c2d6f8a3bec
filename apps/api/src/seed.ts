import { config as loadDotenv } from 'dotenv';
import { deleteApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { MongoClient } from 'mongodb';
import { createFirebaseApp } from './auth/firebase-app.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { openDatabase } from './database/client.ts';
import { getCollections } from './database/documents.ts';
import { listDemoLogins, seed } from './seed/seed.ts';
import { createStores } from './stores.ts';

// The seed command, which fills the database of a demonstration once. With --reset, it first deletes everything in that
// database. With the emulator, `loadConfig` accepts only a database whose name ends in _demo.
loadDotenv({ quiet: true });
try {
  await run(loadConfig(process.env), process.argv.includes('--reset'));
} catch (error) {
  process.stderr.write(error instanceof ConfigError ? `${error.message}\n` : `Seeding failed: ${String(error)}\n`);
  process.exitCode = 1;
}

async function run({ auth, mongodbUri, mongodbDatabase, webOrigins }: Config, shouldReset: boolean): Promise<void> {
  if (auth.mode !== 'emulator') throw new Error('demo data needs AUTH_MODE=emulator, never a real Firebase project.');
  const app = createFirebaseApp(auth);
  const client = new MongoClient(mongodbUri);
  try {
    const db = openDatabase(client, mongodbDatabase);
    const { services, reviews } = createStores(getCollections(db));
    await seed({ db, services, reviews, auth: getAuth(app), webOrigin: webOrigins[0], shouldReset });
  } finally {
    await Promise.all([client.close(), deleteApp(app)]);
  }
  process.stdout.write(`${['Demo customers', ...listDemoLogins().map((line) => `  ${line}`)].join('\n')}\n`);
}
