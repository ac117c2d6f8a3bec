import {
  type Db,
  type MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';

/**
 * The timeouts of database commands. `timeoutMS` must not be set, because it disables these. A command that exceeds
 * `socketTimeoutMS` may still have been executed.
 */
export const mongoClientOptions = {
  connectTimeoutMS: 1000,
  heartbeatFrequencyMS: 1000,
  serverSelectionTimeoutMS: 1500,
  socketTimeoutMS: 2000,
  waitQueueTimeoutMS: 1000,
} satisfies MongoClientOptions;

/** Options of a read: MongoDB ends it shortly before `socketTimeoutMS` closes the connection. Do not use them for streams. */
export const readTimeout = { maxTimeMS: 1500 } as const;

/**
 * Opens a database. By default, writes are acknowledged by a majority of the replica set. The connection string of a single
 * server must say `w=1&journal=true`, because a single server acknowledges `w: majority` before the write is on disk.
 */
export function openDatabase(client: MongoClient, name: string): Db {
  return client.db(name, { writeConcern: client.options.writeConcern ?? { w: 'majority' } });
}

/** The codes of the MongoDB errors that the API handles. */
export const errorCode = {
  namespaceNotFound: 26,
  namespaceExists: 48,
  maxTimeExceeded: 50,
  commandNotFound: 59,
  duplicateKey: 11_000,
} as const;

export function hasErrorCode(error: unknown, name: keyof typeof errorCode): boolean {
  return error instanceof MongoServerError && error.code === errorCode[name];
}

/**
 * The codes of HostUnreachable, HostNotFound, NetworkTimeout, ShutdownInProgress, FailedToSatisfyReadPreference and similar
 * errors.
 */
const unavailableCodes = new Set([6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436]);
const unavailableErrorNames = new Set([
  'MongoServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
]);

/** True if the database could not be reached or did not respond in time. False if it rejected the command. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // If the server closes the connection during a write to the socket, the driver throws the original system error.
  if (error instanceof Error && 'syscall' in error && error.syscall === 'write') return true;
  if (!(error instanceof MongoError)) return false;
  if (error instanceof MongoServerError) {
    return (
      hasErrorCode(error, 'maxTimeExceeded') ||
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('RetryableError') ||
      unavailableCodes.has(Number(error.code))
    );
  }
  return error instanceof MongoNetworkError || unavailableErrorNames.has(error.name);
}
