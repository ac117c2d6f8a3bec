import { config as loadDotenv } from 'dotenv';
import { deleteApp } from 'firebase-admin/app';
import { MongoClient } from 'mongodb';
import { accountStore } from './account/account.store.ts';
import { firebaseCustomers } from './auth/customers.ts';
import { firebaseApp, firebaseIdentity } from './auth/identity.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { clientOptions, collectionsOf, databaseOf } from './database.ts';
import { auditStore } from './operations/audit.store.ts';
import { OperateError, operate } from './operations/operate.ts';
import { reviewStore } from './reviews/reviews.store.ts';
import { summaries } from './reviews/summary.ts';
import { serviceStore } from './services/services.store.ts';

// What an operator does to the product's content and customers. docs/operations.md explains it.
loadDotenv({ quiet: true });
try {
  const lines = await run(loadConfig(process.env));
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
} catch (error) {
  const known = error instanceof OperateError || error instanceof ConfigError;
  process.stderr.write(known ? `${error.message}\n` : `It may not be done, give the command again: ${String(error)}\n`);
  process.exitCode = 1;
}

async function run({ auth, mongodbUri, mongodbDatabase }: Config): Promise<string[]> {
  const app = firebaseApp(auth);
  const identity = firebaseIdentity(auth);
  const client = new MongoClient(mongodbUri, clientOptions);
  try {
    const collections = collectionsOf(databaseOf(client, mongodbDatabase));
    const services = serviceStore(collections);
    const reviews = reviewStore(collections, summaries(collections));
    return await operate(process.argv.slice(2), {
      services,
      reviews,
      accounts: accountStore(collections, { reviews, services, identity }),
      customers: firebaseCustomers(app),
      audit: auditStore(collections),
    });
  } finally {
    await Promise.all([client.close(), identity.close(), deleteApp(app)]);
  }
}
