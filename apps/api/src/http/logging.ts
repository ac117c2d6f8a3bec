import { randomUUID } from 'node:crypto';
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdSerializers } from 'pino';
import { pinoHttp } from 'pino-http';

/** Masks what a log must not keep, wherever an error's text carries it: tokens and emails. */
function quiet(text: string): string {
  return text
    .replaceAll(/\beyJ[\w-]+\.[\w-]*\.?[\w-]*/g, '[token]')
    .replaceAll(/[\p{L}\p{N}.!#$%&'*+=?^_{|}~-]+(?:@|%40)(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}/gu, '[email]');
}

/** The one logger of a process: JSON lines, with errors masked. */
export function apiLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    serializers: {
      err: (error: Error) => {
        const { type, message, stack, aggregateErrors } = stdSerializers.err(error);
        const parts = (aggregateErrors as Error[] | undefined)?.map((part) => quiet(part.message));
        return { type, message: quiet(message), stack: quiet(stack), ...(parts && { parts }) };
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
  return quiet(url.split('?', 1)[0] ?? '');
}
