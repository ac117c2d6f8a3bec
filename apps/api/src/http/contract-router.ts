import {
  type Access,
  type Contract,
  type ContractEntry,
  contract,
  limits,
  type ParsedInput,
  type ResponseBody,
  type RouteKey,
} from '@rtr/shared';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import * as z from 'zod/mini';
import type { CallerByAccess } from '../auth/authenticator.ts';
import { InvalidInputError, NotFoundError, notFound } from '../errors.ts';
import { HttpError } from './problem.ts';
import { changesPublicReads } from './route-effects.ts';

z.config(z.locales.en());

interface RouteInput<K extends RouteKey> {
  caller: CallerByAccess[Contract[K]['access']];
  params: ParsedInput<K, 'params'>;
  query: ParsedInput<K, 'query'>;
  headers: ParsedInput<K, 'headers'>;
  body: ParsedInput<K, 'body'>;
}

type RouteHandler<K extends RouteKey> = (
  input: RouteInput<K>,
  res: Response<ResponseBody<K>>,
  req: Request,
) => Promise<void> | void;

interface ContractRouterOptions {
  authenticate: <A extends Access>(access: A, req: Request) => Promise<CallerByAccess[A]>;
  /** Counts a write of the customer for the rate limit. */
  countWrite: (uid: string) => Promise<void>;
  /**
   * Called after each change of services or reviews. It is also called after a failure, because a failed change may have
   * changed some rows.
   */
  onWrite: () => void;
}

export type AddRoute = ReturnType<typeof contractRouter>;

export const noParameters = z.strictObject({});
const parseJsonBody = express.json({ limit: limits.bodyBytes, strict: false, type: 'application/json' });

/**
 * Returns a function that adds a route of the contract to the app. The route authenticates the caller, parses each input
 * with its schema, and calls the handler. If the contract defines no JSON body for the route, the handler can read the
 * body itself. When the handler starts, `res.locals.startedRoute` is set to the route.
 */
export function contractRouter(app: Express, { authenticate, countWrite, onWrite }: ContractRouterOptions) {
  return <K extends RouteKey>(key: K, handler: RouteHandler<K>): void => {
    const entry: ContractEntry = contract[key];
    const [method, path] = key.split(' ') as [string, string];

    const admit: RequestHandler = async (req, res, next) => {
      res.locals.caller = await authenticate(entry.access, req);
      if (res.locals.caller && method !== 'GET') await countWrite(res.locals.caller.uid);
      if (entry.body && !req.is('application/json'))
        throw new HttpError(415, 'Send the body as JSON, with Content-Type: application/json.');
      next();
    };

    const handle: RequestHandler = async (req, res) => {
      const params = z.safeParse(entry.params ?? noParameters, req.params);
      if (!params.success) throw new NotFoundError(notFound.path(req.path));
      const input = {
        caller: res.locals.caller,
        params: params.data,
        query: parse('query', entry.query ?? noParameters, req.query),
        headers: entry.headers && parse('headers', entry.headers, req.headers),
        body: entry.body && parse('body', entry.body, req.body),
      };
      res.locals.startedRoute = key;
      await handler(input as RouteInput<K>, res as Response<ResponseBody<K>>, req);
    };

    const handleWrite: RequestHandler = (req, res, next) => Promise.resolve(handle(req, res, next)).finally(onWrite);

    const verb = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    app[verb](path, admit, ...(entry.body ? [parseJsonBody] : []), changesPublicReads(key) ? handleWrite : handle);
  };
}

function parse(source: 'query' | 'headers' | 'body', schema: z.core.$ZodType, value: unknown): unknown {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw invalidInput(result.error.issues.map(({ path, message }) => ({ path: [source, ...path].join('.'), message })));
}

/** Creates the error for invalid values in a request. The path of each value begins with body, query or headers. */
export function invalidInput(issues: { path: string; message: string }[]): InvalidInputError {
  const first = issues[0] ? ` First: ${issues[0].path}: ${issues[0].message}` : '';
  return new InvalidInputError(`The request does not match the schema of this route.${first}`, issues);
}
