import { deleteApp } from 'firebase-admin/app';
import { getAuth } from 'firebase-admin/auth';
import { MongoClient } from 'mongodb';
import { createFirebaseApp } from './auth/firebase-app.ts';
import type { Config } from './config.ts';
import { openDatabase } from './database/client.ts';
import { getCollections } from './database/collections.ts';
import { requireDataVersion } from './database/data-version.ts';
import { noQuotas } from './quotas.ts';
import { seed } from './seed/seed.ts';
import { createStores } from './stores.ts';

export async function runSeed(
  { auth, mongodbUri, mongodbDatabase, webOrigins }: Config,
  { shouldReset }: { shouldReset: boolean },
): Promise<void> {
  if (auth.mode !== 'emulator') throw new Error('demo data needs AUTH_MODE=emulator, never a real Firebase project.');
  const app = createFirebaseApp(auth);
  const client = new MongoClient(mongodbUri);
  try {
    const db = openDatabase(client, mongodbDatabase);
    await requireDataVersion(db);
    const stores = createStores(getCollections(db), webOrigins, noQuotas);
    await seed({ db, stores, auth: getAuth(app), webOrigin: webOrigins[0], shouldReset });
  } finally {
    await Promise.all([client.close(), deleteApp(app)]);
  }
}
