import { randomUUID } from 'node:crypto';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { pinoHttp } from 'pino-http';

const maxPathLength = 256;
const maxMessageLength = 1000;
const maxStackLength = 8000;
const maxAggregatedErrors = 10;

/** Matches a word: the characters between two delimiters. An email address or a token never spans two words. */
const word = /[^\s/,:;"<>()[\]]+/g;
/** Matches the versions of packages in stack traces, such as `name@1.2.3`. They look like email addresses. */
const packageVersion = /@\d+\.\d+\.\d+/g;

/**
 * Prepares a text for the log. Shortens it to `maxLength`, and masks each word that contains an email address or a token.
 * The run time is linear in the length of the text, because clients can send any text.
 */
function maskForLog(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.replaceAll(word, maskWord);
  const masked = text.slice(0, maxLength).replaceAll(word, (found, start: number) => {
    const maskedWord = maskWord(found);
    // The last word may be incomplete, so it may be the first half of an email address.
    return maskedWord === found && start + found.length === maxLength ? '' : maskedWord;
  });
  return `${masked}…`;
}

function maskWord(text: string): string {
  if (text.includes('eyJ')) return '[token]'; // every JWT starts with 'eyJ', which is '{"' in Base64
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
  return destination ? pino(options, destination) : pino(options);
}

const validRequestId = /^[\w.-]{1,64}$/;

/**
 * Logs each response without headers and query values. Gives each request an id, and sends the id in the header
 * X-Request-Id.
 */
export function logRequests(logger: Logger) {
  return pinoHttp({
    logger,
    genReqId: (req, res) => {
      const sent = req.headers['x-request-id'];
      const id = typeof sent === 'string' && validRequestId.test(sent) ? sent : randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    // Health checks are not logged, because they run every few seconds.
    autoLogging: { ignore: ({ url }) => url === '/healthz' || url === '/readyz' },
    // The error handler logs each failure with its cause. The log line of the response has only the status, so its level is
    // always info.
    customLogLevel: () => 'info',
    customErrorObject: (_req, _res, _error, value: object) => ({ ...value, err: undefined }),
    serializers: {
      req: ({ id, method, url }: { id: string; method: string; url: string }) => ({
        id,
        method,
        path: loggedPath(url),
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
  });
}

function loggedPath(url: string): string {
  return maskForLog(url.split('?', 1)[0] ?? '', maxPathLength);
}
