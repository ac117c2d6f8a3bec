import { type AnswerOf, type Contract, type ContractEntry, contract, type Parsed, type RouteKey } from '@rtr/shared';
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import * as z from 'zod/mini';
import type { Callers, Gate } from '../auth/require-customer.ts';
import { HttpError } from './problem.ts';

z.config(z.locales.en());

export interface Input<K extends RouteKey> {
  who: Callers[Contract[K]['access']];
  params: Parsed<K, 'params'>;
  query: Parsed<K, 'query'>;
  headers: Parsed<K, 'headers'>;
  body: Parsed<K, 'body'>;
}

export type Handler<K extends RouteKey> = (
  input: Input<K>,
  res: Response<AnswerOf<K>>,
  req: Request,
) => Promise<void> | void;

const nothing = z.strictObject({});
const json = express.json({ limit: '32kb', strict: false, type: 'application/json' });

/** Mounts contract routes on a router: access first, then every input by its schema, then the handler. */
export function routesOn(router: Router, gate: Gate) {
  return <K extends RouteKey>(key: K, handler: Handler<K>): void => {
    const entry: ContractEntry = contract[key];
    const [method, path] = key.split(' ') as [string, string];
    const admit: RequestHandler = async (req, res, next) => {
      res.locals.who = await gate.admit(entry.access, req);
      if (res.locals.who && method !== 'GET') await gate.spend(res.locals.who.uid);
      if (entry.body && !req.is('application/json'))
        throw new HttpError(415, 'Send the body as JSON, with Content-Type: application/json.');
      next();
    };
    const run: RequestHandler = async (req, res) => {
      const { who } = res.locals;
      const params = parse(
        'params',
        entry.params ?? nothing,
        req.params,
        () => new HttpError(404, `There is nothing at ${req.path}.`),
      );
      const [query, headers, body] = [
        parse('query', entry.query ?? nothing, req.query),
        entry.headers && parse('headers', entry.headers, req.headers),
        entry.body && parse('body', entry.body, req.body),
      ];
      await handler({ who, params, query, headers, body } as Input<K>, res as Response<AnswerOf<K>>, req);
    };
    const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
    router[verb](path, admit, ...(entry.body ? [json] : []), run);
  };
}

function parse(place: string, schema: z.core.$ZodType, value: unknown, fail = badInput): unknown {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw fail(result.error.issues.map(({ path, message }) => ({ path: [place, ...path].join('.'), message })));
}

/** The 400 for input that does not fit: `path` begins with body, query, params or headers. */
export function badInput(errors: { path: string; message: string }[]): HttpError {
  const first = errors[0] ? ` First: ${errors[0].path}: ${errors[0].message}` : '';
  return new HttpError(400, `What was sent does not fit this route.${first}`, { errors });
}
