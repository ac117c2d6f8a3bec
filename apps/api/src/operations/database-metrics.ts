import type { ConnectionCheckOutFailedEvent, MongoClient } from 'mongodb';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The database commands that the metrics count under their own names. All other commands are counted as `other`. */
const commands = new Set(
  'aggregate count delete distinct endSessions find findAndModify getMore insert killCursors listIndexes ping update'.split(
    ' ',
  ),
);
const checkoutFailureReasons = { timeout: 'timeout', connectionError: 'connection_error', poolClosed: 'pool_closed' };

/**
 * Adds metrics of the commands and connections of the MongoDB driver. The metrics of commands need the driver option
 * `monitorCommands`. With this option, the driver parses each reply twice, which takes about 0.2 ms for 60 rows.
 */
export function collectDatabaseMetrics(client: MongoClient, registry: Registry): void {
  const registers = [registry];
  const connections = new Gauge({ name: 'mongodb_pool_connections', help: 'Open connections.', registers });
  const checkedOut = new Gauge({ name: 'mongodb_pool_checked_out', help: 'Connections in use.', registers });
  const waiting = new Gauge({ name: 'mongodb_pool_waiting', help: 'Commands waiting for a connection.', registers });
  const maxConnections = new Gauge({ name: 'mongodb_pool_max', help: 'Maximum connections to one server.', registers });
  const checkoutFailures = new Counter({
    name: 'mongodb_pool_checkout_failures_total',
    help: 'Commands that got no connection, by reason: timeout, connection_error or pool_closed.',
    labelNames: ['reason'],
    registers,
  });
  const durations = new Histogram({
    name: 'mongodb_command_duration_seconds',
    help: 'Duration of successful commands.',
    labelNames: ['command'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers,
  });
  const failed = new Counter({
    name: 'mongodb_command_failures_total',
    help: 'Commands that failed or timed out.',
    labelNames: ['command'],
    registers,
  });

  maxConnections.set(client.options.maxPoolSize);
  client
    .on('connectionCreated', () => connections.inc())
    .on('connectionClosed', () => connections.dec())
    .on('connectionCheckOutStarted', () => waiting.inc())
    .on('connectionCheckedOut', () => {
      waiting.dec();
      checkedOut.inc();
    })
    .on('connectionCheckOutFailed', ({ reason }: ConnectionCheckOutFailedEvent) => {
      waiting.dec();
      checkoutFailures.inc({
        reason: checkoutFailureReasons[reason as keyof typeof checkoutFailureReasons] ?? 'other',
      });
    })
    .on('connectionCheckedIn', () => checkedOut.dec())
    .on('commandSucceeded', ({ commandName, duration }) =>
      durations.observe({ command: labelOf(commandName) }, duration / 1000),
    )
    .on('commandFailed', ({ commandName }) => failed.inc({ command: labelOf(commandName) }));
}

function labelOf(command: string): string {
  return commands.has(command) ? command : 'other';
}
