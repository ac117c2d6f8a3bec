import { config as loadDotenv } from 'dotenv';
import { deleteApp } from 'firebase-admin/app';
import { MongoClient } from 'mongodb';
import { createAccountStore } from './accounts/accounts.store.ts';
import { createFirebaseAccounts } from './auth/firebase-accounts.ts';
import { createFirebaseApp } from './auth/firebase-app.ts';
import { createFirebaseIdentity } from './auth/firebase-identity.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { mongoClientOptions, openDatabase } from './database/client.ts';
import { getCollections } from './database/documents.ts';
import { createAuditStore } from './operations/audit.store.ts';
import { OperatorCommandError, runOperatorCommand } from './operations/operator-commands.ts';
import { createStores } from './stores.ts';

// The operate command, with which operators hide content and disable customers. docs/operations.md describes it.
loadDotenv({ quiet: true });
try {
  const lines = await run(loadConfig(process.env));
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
} catch (error) {
  const isExpected = error instanceof OperatorCommandError || error instanceof ConfigError;
  process.stderr.write(
    isExpected ? `${error.message}\n` : `The command may not be complete, run it again: ${String(error)}\n`,
  );
  process.exitCode = 1;
}

async function run({ auth, mongodbUri, mongodbDatabase }: Config): Promise<string[]> {
  const app = createFirebaseApp(auth);
  const identity = createFirebaseIdentity(auth);
  const client = new MongoClient(mongodbUri, mongoClientOptions);
  try {
    const collections = getCollections(openDatabase(client, mongodbDatabase));
    const { services, reviews, reviewModeration } = createStores(collections);
    return await runOperatorCommand(process.argv.slice(2), {
      services,
      reviews: reviewModeration,
      accounts: createAccountStore(collections, { reviews, services, identity }),
      customers: createFirebaseAccounts(app),
      audit: createAuditStore(collections),
    });
  } finally {
    await Promise.all([client.close(), identity.close(), deleteApp(app)]);
  }
}
