import {
  type Db,
  MongoBulkWriteError,
  type MongoClient,
  type MongoClientOptions,
  MongoError,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';

/**
 * The timeouts of database commands. The option `timeoutMS` would disable them, so it must not be set. After
 * `socketTimeoutMS`, the driver stops waiting, but MongoDB may still execute the command. `connectTimeoutMS` is also the
 * timeout of heartbeats. It must be longer than `socketTimeoutMS`, because a heartbeat that times out ends all commands
 * in progress.
 *
 * `waitQueueTimeoutMS` is longer than 1.5 s, so that no request fails if the database does not respond for 1.5 s. If the
 * database does not respond for longer, a read times out after 2 s (`socketTimeoutMS`), and its retry after another
 * 1.8 s (`waitQueueTimeoutMS`). So every read ends in less than 4 s.
 */
export const mongoClientOptions = {
  connectTimeoutMS: 2500,
  heartbeatFrequencyMS: 1000,
  serverSelectionTimeoutMS: 1500,
  socketTimeoutMS: 2000,
  waitQueueTimeoutMS: 1800,
} satisfies MongoClientOptions;

/**
 * The options of database reads. MongoDB stops a read after `maxTimeMS`, which is before `socketTimeoutMS` closes the
 * connection. Streams must not use these options, because a stream can take longer than `maxTimeMS`.
 */
export const readTimeout = { maxTimeMS: 1500 } as const;

/**
 * Opens a database. By default, each write waits until a majority of the replica set acknowledges it. For a single server,
 * the connection string must contain `w=1&journal=true`, because the server would otherwise acknowledge a write before it is
 * on disk.
 */
export function openDatabase(client: MongoClient, name: string): Db {
  return client.db(name, { writeConcern: client.options.writeConcern ?? { w: 'majority' } });
}

export const errorCode = {
  namespaceNotFound: 26,
  indexNotFound: 27,
  namespaceExists: 48,
  maxTimeExceeded: 50,
  commandNotFound: 59,
  duplicateKey: 11_000,
} as const;

export function hasErrorCode(error: unknown, name: keyof typeof errorCode): boolean {
  return error instanceof MongoServerError && error.code === errorCode[name];
}

/**
 * The error codes with which MongoDB says that the database is unavailable, such as HostUnreachable, HostNotFound,
 * NetworkTimeout, ShutdownInProgress, FailedToSatisfyReadPreference, NotPrimaryOrSecondary and OutOfDiskSpace.
 */
const unavailableCodes = new Set([6, 7, 89, 91, 133, 189, 9001, 10107, 11600, 11602, 13435, 13436, 14031]);
/** MongoDB reports a full disk mostly with this message and the code UnknownError. */
const fullDiskMessage = 'No space left on device';
const unavailableErrorNames = new Set([
  'MongoServerSelectionError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
]);

/**
 * True if the database is temporarily unavailable: it cannot be reached, does not respond in time, shuts down, has no primary or
 * has a full disk.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  // If the connection breaks, `bulkWrite` throws a server error that contains the network error.
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error)
    return isDatabaseUnavailable(error.errorResponse);
  if (!(error instanceof MongoError)) return false;
  if (error instanceof MongoServerError) {
    return (
      hasErrorCode(error, 'maxTimeExceeded') ||
      error.hasErrorLabel('RetryableWriteError') ||
      error.hasErrorLabel('RetryableError') ||
      unavailableCodes.has(Number(error.code)) ||
      error.message.includes(fullDiskMessage)
    );
  }
  return error instanceof MongoNetworkError || unavailableErrorNames.has(error.name);
}
