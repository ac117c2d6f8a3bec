import { once } from 'node:events';
import type { Server } from 'node:http';
import { closeGracefully } from '@rtr/http-server';
import { createMetricsServer } from '@rtr/http-server/metrics';
import type { Environment } from './environment.ts';
import type { Metrics } from './metrics.ts';

/** The maximum length of a stack trace in the log. */
const maxStackLength = 8000;

interface ServeOptions extends Pick<Environment, 'host' | 'port' | 'metricsAt' | 'shutdownDelayMs'> {
  closing: AbortController;
  metrics: Metrics;
}

/**
 * Starts the server. On SIGTERM or SIGINT, shuts it down gracefully and exits the process. The metrics can be read until the
 * process exits.
 */
export async function serve(server: Server, options: ServeOptions): Promise<void> {
  const { host, port, metricsAt, shutdownDelayMs, closing, metrics } = options;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      void closeGracefully(server, { shutdown: closing, delayMs: shutdownDelayMs }).then(() => process.exit(0));
    });
  if (metricsAt) await once(createMetricsServer(metrics).listen(metricsAt.port, metricsAt.host), 'listening');
  await once(server.listen(port, host), 'listening');
}

/**
 * Creates a log function that collects all lines of one turn of the event loop and writes them together. Writing each line
 * separately would take as long as sending a cached page.
 */
export function createLog(output: Pick<NodeJS.WriteStream, 'write'>): (line: object) => void {
  let buffer = '';
  const flush = () => {
    output.write(buffer);
    buffer = '';
  };
  process.on('exit', () => buffer && flush());
  return (line) => {
    if (buffer === '') setImmediate(flush);
    buffer += `${JSON.stringify(line)}\n`;
  };
}

export function stackOf(error: unknown): string {
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, maxStackLength);
}
