import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';

const maxPathLength = 256;
const maxMessageLength = 1000;
const maxStackLength = 8000;
const maxAggregatedErrors = 10;
const maxBatchLength = 16_000;
const maxBatchDelayMs = 10;
const maxMaskedPaths = 1000;
const maskedPaths = new Map<string, string>();

/**
 * Matches a word, which ends at a delimiter. An email address or a token contains no delimiters, so it is always inside one
 * word.
 */
const word = /[^\s/,:;"<>()[\]]+/g;
/** Matches package versions in stack traces, such as `name@1.2.3`. They look like email addresses, but are not masked. */
const packageVersion = /@\d+\.\d+\.\d+/g;

/**
 * Prepares a text for the log: shortens it to `maxLength`, and masks each word that contains an email address or a token.
 * Clients can send any text, so the run time must be linear in its length.
 */
function maskForLog(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.replaceAll(word, maskWord);
  const masked = text.slice(0, maxLength).replaceAll(word, (found, start: number) => {
    const maskedWord = maskWord(found);
    // The last word may be cut off. An unmasked last word is removed, because it may be the first half of an email address.
    return maskedWord === found && start + found.length === maxLength ? '' : maskedWord;
  });
  return `${masked}…`;
}

function maskWord(text: string): string {
  // A word with 'eyJ' may contain a JWT, because every JWT starts with 'eyJ', which is '{"' in Base64.
  if (text.includes('eyJ')) return '[token]';
  return /.(?:@|%40)/.test(text.replaceAll(packageVersion, '')) ? '[email]' : text;
}

/** Creates the logger of the process. It writes JSON lines, and shortens and masks the texts of errors. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    serializers: {
      err: (error: Error) => {
        const { type, message, stack, aggregateErrors } = stdSerializers.err(error);
        const parts = (aggregateErrors as Error[] | undefined)
          ?.slice(0, maxAggregatedErrors)
          .map((part) => maskForLog(part.message, maxMessageLength));
        return {
          type,
          message: maskForLog(message, maxMessageLength),
          stack: maskForLog(stack, maxStackLength),
          ...(parts && { parts }),
        };
      },
    },
  };
  return pino(options, destination ?? createBatchedOutput());
}

/**
 * Collects the lines of a few milliseconds and writes them together, because a system call for each line would be slow. If
 * the process is killed with SIGKILL, these lines are lost.
 */
function createBatchedOutput(): DestinationStream {
  const output = pino.destination({ sync: true });
  let batch = '';
  const flush = () => {
    if (batch !== '') output.write(batch);
    batch = '';
  };
  process.on('exit', () => {
    flush();
    output.flushSync();
  });
  return {
    write(line) {
      if (batch === '') setTimeout(flush, maxBatchDelayMs);
      batch += line;
      if (batch.length >= maxBatchLength) flush();
    },
  };
}

const validRequestId = /^[\w.-]{1,64}$/;

/** Returns the request id of the client if it is valid, otherwise a new id. */
export function findRequestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && validRequestId.test(sent) ? sent : randomUUID();
}

export type LogResponse = ReturnType<typeof createResponseLog>;

/**
 * Creates the function that logs a response, without headers and query values. The level is always info, because the error
 * handler logs each error with a status of 500 or more, and its cause.
 */
export function createResponseLog(logger: Logger) {
  // This code does not use pino's serializers, because they take longer than sending a cached response.
  const stream = (logger as unknown as Record<symbol, DestinationStream>)[pino.symbols.streamSym];
  const isEnabled = logger.isLevelEnabled('info');
  const processFields = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`;

  return (req: IncomingMessage, res: ServerResponse, id: string, startedAt: number): void => {
    if (!isEnabled) return;
    const message = res.writableFinished ? 'request completed' : 'request aborted';
    const milliseconds = Math.round(performance.now() - startedAt);
    stream?.write(
      `{"level":30,"time":${Date.now()},${processFields},"req":{"id":"${id}","method":"${req.method ?? ''}","path":${loggedPath(req)}},` +
        `"res":{"statusCode":${res.statusCode}},"responseTime":${milliseconds},"msg":"${message}"}\n`,
    );
  };
}

/** Matches a path with a key that switches the emails of a customer off without a login. */
const unsubscribePath = /^\/unsubscribe\/.*/i;

/**
 * Returns the masked path as JSON. Recent results are cached, because masking a path takes longer than creating the
 * rest of the log line.
 */
function loggedPath({ url = '' }: IncomingMessage): string {
  const queryStart = url.indexOf('?');
  const path = queryStart === -1 ? url : url.slice(0, queryStart);
  const known = maskedPaths.get(path);
  if (known !== undefined) return known;
  const masked = JSON.stringify(maskForLog(path.replace(unsubscribePath, '/unsubscribe/[key]'), maxPathLength));
  if (maskedPaths.size >= maxMaskedPaths) maskedPaths.clear();
  if (path.length <= maxPathLength) maskedPaths.set(path, masked);
  return masked;
}
