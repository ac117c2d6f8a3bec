import {
  type Db,
  type MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';

/**
 * The timeouts of every request. `timeoutMS` must not be set, because it disables these. A command that exceeds
 * `socketTimeoutMS` may still have been executed.
 */
export const mongoClientOptions = {
  connectTimeoutMS: 1000,
  heartbeatFrequencyMS: 1000,
  serverSelectionTimeoutMS: 1500,
  socketTimeoutMS: 2000,
  waitQueueTimeoutMS: 1000,
} satisfies MongoClientOptions;

/** Ends a read on the server shortly before `socketTimeoutMS` would close its connection. Not for streams. */
export const readTimeout = { maxTimeMS: 1500 } as const;

/**
 * Opens a database. Writes are acknowledged by a majority, unless the connection string says otherwise: a single server
 * acknowledges `w: majority` before the write is on disk, so it needs `w=1&journal=true`.
 */
export function openDatabase(client: MongoClient, name: string): Db {
  return client.db(name, { writeConcern: client.options.writeConcern ?? { w: 'majority' } });
}

/** Codes of the errors that the API handles. */
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

/** HostUnreachable, HostNotFound, NetworkTimeout, ShutdownInProgress, FailedToSatisfyReadPreference and similar. */
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

/** Whether the database could not be reached or did not answer in time, as opposed to having rejected the command. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // The driver does not wrap this error when the server closes the connection between two writes to its socket.
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
