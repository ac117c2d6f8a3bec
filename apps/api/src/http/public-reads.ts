import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'node:querystring';
import {
  type Contract,
  type ContractEntry,
  contract,
  type ParsedInput,
  type ResponseBody,
  type RouteKey,
} from '@rtr/shared';
import type { Response } from 'express';
import * as z from 'zod/mini';
import type { CallerByAccess } from '../auth/authenticator.ts';
import { type AddRoute, noParameters } from './contract-router.ts';
import { createEtag } from './entity-version.ts';
import type { ListStreams } from './list-streams.ts';
import { isMalformedUrl } from './malformed-url.ts';
import type { HeaderList, ReadResponse, ResponseCache } from './response-cache.ts';

/** The GET routes that need no token. */
type ReadKey = {
  [K in RouteKey]: K extends `GET ${string}`
    ? Contract[K]['access'] extends 'public' | 'optional'
      ? K
      : never
    : never;
}[RouteKey];

interface ReadInput<K extends ReadKey> {
  /**
   * The customer who reads. Undefined if the request has no token. The response is cached only for requests without a token.
   */
  caller: CallerByAccess[Contract[K]['access']] | undefined;
  params: ParsedInput<K, 'params'>;
  query: ParsedInput<K, 'query'>;
}

type RowOf<K extends ReadKey> = ResponseBody<K> extends (infer Row)[] ? Row : never;

export interface ReadRoute<K extends ReadKey> {
  read(input: ReadInput<K>): Promise<ReadResponse<ResponseBody<K>>>;
  /** Returns all rows if the request is for the complete list. A complete list is streamed and never cached. */
  findAll?(input: ReadInput<K>): AsyncIterable<RowOf<K>> | undefined;
}

export type AddRead = <K extends ReadKey>(key: K, route: ReadRoute<K>) => void;

/**
 * A request in which `route.path` is the path pattern of its route, as in a request of Express. The metrics read this
 * property.
 */
type ReadRequest = IncomingMessage & { route?: { path?: unknown } };

/** The result of parsing the URL of a request for public data. */
interface Target {
  /**
   * The key of the response in the cache. URLs that differ only in the order or the encoding of their parameters have the
   * same key.
   */
  key: string;
  route: string;
  read: () => Promise<ReadResponse>;
}

interface PublicReadsOptions {
  addRoute: AddRoute;
  cache: ResponseCache;
  listStreams: ListStreams;
}

export type PublicReads = ReturnType<typeof createPublicReads>;

/**
 * The maximum number of parsed URLs in the cache. Parsed URLs are cached, because most requests have a URL that was parsed
 * before. URLs longer than `maxStoredUrlLength` are not cached.
 */
const maxStoredUrls = 2000;
const maxStoredUrlLength = 500;

/**
 * Creates the routes that everyone can read. Requests without a token are handled before Express, and their responses are
 * cached. Express handles requests with a token, requests for complete lists, and invalid requests.
 */
export function createPublicReads({ addRoute, cache, listStreams }: PublicReadsOptions) {
  const parsers: ((path: string, search: string) => Target | undefined)[] = [];
  const targetByUrl = new Map<string, Target>();

  const addRead: AddRead = <K extends ReadKey>(key: K, { read, findAll }: ReadRoute<K>): void => {
    const entry: ContractEntry = contract[key];
    const route = key.slice('GET '.length);

    addRoute(key, async (input, res) => {
      const rows = findAll?.(input);
      if (rows) return listStreams.send(res as Response<unknown[]>, rows);
      const { body, headers, version } = await read(input);
      if (version !== undefined) res.set('ETag', createEtag([JSON.stringify(body)], version));
      res.set(headers ?? {}).json(body);
    });

    parsers.push((path, search) => {
      const segments = matchSegments(route, path);
      if (!segments) return undefined;
      const params = z.safeParse(entry.params ?? noParameters, segments);
      const query = z.safeParse(entry.query ?? noParameters, parseQuery(search));
      if (!params.success || !query.success) return undefined;
      const input = { caller: undefined, params: params.data, query: query.data } as ReadInput<K>;
      if (findAll?.(input)) return undefined;
      const sorted = new URLSearchParams(query.data as Record<string, string>);
      sorted.sort();
      return {
        key: `${route} ${JSON.stringify(params.data)} ${sorted.toString()}`,
        route,
        read: () => read(input),
      };
    });
  };

  function findTarget(url: string): Target | undefined {
    const stored = targetByUrl.get(url);
    if (stored) return stored;
    if (isMalformedUrl(url)) return undefined;
    const [path = '', ...rest] = url.split('?');
    for (const parse of parsers) {
      const target = parse(path, rest.join('?'));
      if (!target) continue;
      if (targetByUrl.size >= maxStoredUrls) targetByUrl.clear();
      if (url.length <= maxStoredUrlLength) targetByUrl.set(url, target);
      return target;
    }
    return undefined;
  }

  return {
    addRead,

    /**
     * Handles the request if its response can be cached. Returns false if Express must handle the request instead. If
     * reading the data fails, calls `onFailure`, which must send the response.
     */
    respond(
      req: ReadRequest,
      res: ServerResponse,
      ownHeaders: HeaderList,
      onFailure: (error: unknown) => void,
    ): boolean {
      if ((req.method !== 'GET' && req.method !== 'HEAD') || req.headers.authorization !== undefined) return false;
      const target = findTarget(req.url ?? '');
      if (!target) return false;
      req.route = { path: target.route };
      if (!cache.respondFromCache(req, res, target.key, ownHeaders))
        cache.respond(req, res, { ...target, ownHeaders }).catch(onFailure);
      return true;
    },
  };
}

/**
 * Returns the values of the parameters of a route, such as `id` in '/services/:id', or undefined if the path does not match.
 */
function matchSegments(route: string, path: string): Record<string, string> | undefined {
  const values = path.split('/');
  const names = route.split('/');
  if (names.length !== values.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const value = values[index] ?? '';
    if (name.startsWith(':')) parameters[name.slice(1)] = value;
    else if (name !== value) return undefined;
  }
  return parameters;
}
