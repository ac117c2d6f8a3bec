import type { ConnectionCheckOutFailedEvent, MongoClient } from 'mongodb';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** What the product and its driver send; another one would be counted as such. */
const commands = new Set(
  'aggregate count delete distinct endSessions find findAndModify getMore insert killCursors listIndexes ping update'.split(
    ' ',
  ),
);
const failures = { timeout: 'timeout', connectionError: 'connection_error', poolClosed: 'pool_closed' };

/**
 * Counts what the driver says of its connections, all servers together, and of its commands. It says the latter only
 * with `monitorCommands`, which costs a list of 60 rows about 0.2 ms: each answer is read twice.
 */
export function watchDatabase(client: MongoClient, registry: Registry): void {
  const registers = [registry];
  const connections = new Gauge({ name: 'mongodb_pool_connections', help: 'Open connections.', registers });
  const checkedOut = new Gauge({ name: 'mongodb_pool_checked_out', help: 'Connections in use.', registers });
  const waiting = new Gauge({ name: 'mongodb_pool_waiting', help: 'Commands that wait for a connection.', registers });
  const most = new Gauge({ name: 'mongodb_pool_max', help: 'Most connections to one server.', registers });
  const notCheckedOut = new Counter({
    name: 'mongodb_pool_checkout_failures_total',
    help: 'Commands that got no connection: timeout (of the wait), connection_error or pool_closed.',
    labelNames: ['reason'],
    registers,
  });
  const durations = new Histogram({
    name: 'mongodb_command_duration_seconds',
    help: 'Commands that the database carried out.',
    labelNames: ['command'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers,
  });
  const failed = new Counter({
    name: 'mongodb_command_failures_total',
    help: 'Commands that the database refused, or did not answer in time.',
    labelNames: ['command'],
    registers,
  });

  most.set(client.options.maxPoolSize);
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
      notCheckedOut.inc({ reason: failures[reason as keyof typeof failures] ?? 'other' });
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
