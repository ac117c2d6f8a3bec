import { randomUUID } from 'node:crypto';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { pinoHttp } from 'pino-http';

const maxPathLength = 256;
const maxMessageLength = 1000;
const maxStackLength = 8000;
const maxPartCount = 10;

/** Characters between delimiters: no email or token is longer than the word that holds it. */
const word = /[^\s/,:;"<>()[\]]+/g;
/** `name@1.2.3`, as stack frames name packages: not an email. */
const packageVersion = /@\d+\.\d+\.\d+/g;

/**
 * The text for a log line: cut to `maxLength`, with each word that holds an email or a token masked. A visitor may choose
 * the text, so each character is read a fixed number of times.
 */
function loggable(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.replaceAll(word, maskedWord);
  const masked = text.slice(0, maxLength).replaceAll(word, (found, start: number) => {
    const shown = maskedWord(found);
    // The cut may divide this word, which may then be the first half of an email.
    return shown === found && start + found.length === maxLength ? '' : shown;
  });
  return `${masked}…`;
}

function maskedWord(text: string): string {
  if (text.includes('eyJ')) return '[token]'; // '{"' in Base64: how every JWT begins
  return /.(?:@|%40)/.test(text.replaceAll(packageVersion, '')) ? '[email]' : text;
}

/** The one logger of a process: JSON lines, with errors cut and masked. */
export function apiLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    serializers: {
      err: (error: Error) => {
        const { type, message, stack, aggregateErrors } = stdSerializers.err(error);
        const parts = (aggregateErrors as Error[] | undefined)
          ?.slice(0, maxPartCount)
          .map((part) => loggable(part.message, maxMessageLength));
        return {
          type,
          message: loggable(message, maxMessageLength),
          stack: loggable(stack, maxStackLength),
          ...(parts && { parts }),
        };
      },
    },
  };
  return destination ? pino(options, destination) : pino(options);
}

const wellFormed = /^[\w.-]{1,64}$/;

/** Gives each request an id, answers it as X-Request-Id, and logs the answer: no header, no query value. */
export function requestLog(logger: Logger) {
  return pinoHttp({
    logger,
    genReqId: (req, res) => {
      const sent = req.headers['x-request-id'];
      const id = typeof sent === 'string' && wellFormed.test(sent) ? sent : randomUUID();
      res.setHeader('X-Request-Id', id);
      return id;
    },
    autoLogging: { ignore: ({ url }) => url === '/healthz' || url === '/readyz' }, // asked every few seconds
    // The handler of problems logs a failure with its cause; this line says only how the request ended.
    customLogLevel: () => 'info',
    customErrorObject: (_req, _res, _error, value: object) => ({ ...value, err: undefined }),
    serializers: {
      req: ({ id, method, url }: { id: string; method: string; url: string }) => ({ id, method, path: pathOf(url) }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
  });
}

function pathOf(url: string): string {
  return loggable(url.split('?', 1)[0] ?? '', maxPathLength);
}
