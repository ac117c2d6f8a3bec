import { deleteApp } from 'firebase-admin/app';
import { MongoClient } from 'mongodb';
import { createAccountStore } from './accounts/accounts.store.ts';
import { createFirebaseAccounts } from './auth/firebase-accounts.ts';
import { createFirebaseApp } from './auth/firebase-app.ts';
import { createFirebaseIdentity } from './auth/firebase-identity.ts';
import type { Config } from './config.ts';
import { mongoClientOptions, openDatabase } from './database/client.ts';
import { getCollections } from './database/collections.ts';
import { requireDataVersion } from './database/data-version.ts';
import { runOperatorCommand } from './operations/operator-commands.ts';
import { noQuotas } from './quotas.ts';
import { createStores } from './stores.ts';

/** Connects to the database and to Firebase, runs one operator command, and returns the lines to print. */
export async function runOperate(
  {
    auth,
    mongodbUri,
    mongodbDatabase,
    webOrigins,
  }: Pick<Config, 'auth' | 'mongodbUri' | 'mongodbDatabase' | 'webOrigins'>,
  args: readonly string[],
): Promise<string[]> {
  const app = createFirebaseApp(auth);
  const identity = createFirebaseIdentity(auth);
  const client = new MongoClient(mongodbUri, mongoClientOptions);
  try {
    const db = openDatabase(client, mongodbDatabase);
    await requireDataVersion(db);
    const collections = getCollections(db);
    const stores = createStores(collections, webOrigins, noQuotas);
    return await runOperatorCommand(args, {
      services: stores.serviceModeration,
      reviews: stores.reviewModeration,
      pictures: stores.pictures,
      accounts: createAccountStore(collections, { ...stores, identity }),
      customers: createFirebaseAccounts(app),
      audit: stores.audit,
    });
  } finally {
    await Promise.all([client.close(), identity.close(), deleteApp(app)]);
  }
}
