import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { chooseEncoding, compress, type Encoding, minCompressedBytes } from '@rtr/http-server/compression';
import { createReadCache } from '../read-cache.ts';
import { createEtag, isNotModified, toWeak } from './entity-version.ts';

/** A successful response to a read request. The route that handles the request creates this response. */
export interface ReadResponse<T = unknown> {
  body: T;
  headers?: Record<string, string>;
  /** The time of the last edit, in milliseconds since 1970. Present if the row can be edited with If-Match. */
  version?: number;
}

/** A list of alternating names and values, which `writeHead` can send without copying it. */
export type HeaderList = readonly string[];

interface Variant {
  headers: HeaderList;
  /**
   * A short body is a latin1 string, which has one character for each byte. Node.js sends a string in the same write as
   * the headers.
   */
  body: string | Buffer;
}

interface CachedResponse {
  etag: string;
  /** The headers for a response with the status 304, which has no body. */
  headers: HeaderList;
  identity: Variant;
  /**
   * The variants that exist already. A compressed variant is created when the cached response is sent with this encoding for
   * the first time.
   */
  variants: Map<Encoding, Variant>;
  compressions: Map<Encoding, Promise<void>>;
}

interface CachedRead {
  /** The key of the response. Requests with the same key have the same response. */
  key: string;
  read: () => Promise<ReadResponse>;
  /**
   * The response headers that can differ between requests for the same data, such as `X-Request-Id`. They are not
   * cached.
   */
  ownHeaders: HeaderList;
}

interface ResponseCacheOptions {
  commonHeaders: HeaderList;
  onRequest: (result: 'hit' | 'miss' | 'shared' | 'bypass') => void;
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** Longer bodies are buffers: writing them separately is faster than copying them into one string with the headers. */
const maxTextBytes = 8000;
/** The approximate size of the headers of a cached response. */
const headerBytes = 4000;

/**
 * Creates the cache of the responses to requests for public data (docs/decisions/0016). The cache handles these
 * requests without Express, because Express would add more time than sending a cached response takes.
 */
export function createResponseCache({ commonHeaders, onRequest }: ResponseCacheOptions) {
  const cache = createReadCache<CachedResponse>({
    ttlMs: 1000,
    maxSize: 64 * 1024 * 1024,
    // Counts the body twice: once for itself, and once for all its compressed variants, which together are smaller.
    sizeOf: ({ identity }) => 2 * identity.body.length + headerBytes,
  });

  return {
    bytes: cache.size,
    clear: cache.clear,

    /**
     * If the response is in the cache, sends it and returns true. Otherwise, or if the client wants a fresh response,
     * returns false.
     */
    respondFromCache(req: IncomingMessage, res: ServerResponse, key: string, ownHeaders: HeaderList): boolean {
      const response = wantsFresh(req.headers) ? undefined : cache.get(key);
      if (!response) return false;
      onRequest('hit');
      const encoding = encodingFor(req, response);
      const respond = () => send(req, res, response, encoding, ownHeaders);
      if (response.variants.has(encoding)) respond();
      else void addVariant(response, encoding).then(respond, respond);
      return true;
    },

    /**
     * Calls `read` and sends the result. Concurrent requests share one call, except for requests that bypass the cache.
     * The promise is rejected if the call fails.
     */
    async respond(req: IncomingMessage, res: ServerResponse, { key, read, ownHeaders }: CachedRead): Promise<void> {
      const isFresh = wantsFresh(req.headers);
      onRequest(isFresh ? 'bypass' : cache.isRunning(key) ? 'shared' : 'miss');
      const load = async () => {
        const response = serialize(await read(), commonHeaders);
        const previous = cache.peek(key);
        // If the response has not changed, the previous one stays in the cache, because it may be compressed already.
        return previous?.etag === response.etag ? previous : response;
      };
      const response = await (isFresh ? load() : cache.load(key, load));
      send(req, res, response, encodingFor(req, response), ownHeaders);
    },
  };
}

/** True if the client bypasses the cache. For example, the web app does this after a write. */
function wantsFresh(headers: IncomingHttpHeaders): boolean {
  return headers['cache-control']?.toLowerCase().includes('no-cache') ?? false;
}

function serialize({ body, headers = {}, version }: ReadResponse, commonHeaders: HeaderList): CachedResponse {
  const json = Buffer.from(JSON.stringify(body));
  // The ETag also depends on the headers. So if only the total count in a header changes, clients receive the new response.
  const etag = createEtag([json, ...Object.values(headers)], version);
  const all = [...commonHeaders, ...Object.entries(headers).flat(), 'ETag', etag];
  const identity = createVariant(all, json);
  return { etag, headers: all, identity, variants: new Map([['identity', identity]]), compressions: new Map() };
}

function createVariant(headers: HeaderList, bytes: Buffer): Variant {
  const contentHeaders = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(bytes.length)];
  const body = bytes.length <= maxTextBytes ? bytes.toString('latin1') : bytes;
  return { headers: [...headers, ...contentHeaders], body };
}

const encodingFor = ({ headers }: IncomingMessage, { identity }: CachedResponse): Encoding =>
  identity.body.length < minCompressedBytes ? 'identity' : chooseEncoding(headers['accept-encoding']);

function addVariant(response: CachedResponse, encoding: Encoding): Promise<void> {
  const { identity, headers, etag, compressions, variants } = response;
  const running = compressions.get(encoding);
  if (running || encoding === 'identity') return running ?? Promise.resolve();
  const bytes = typeof identity.body === 'string' ? Buffer.from(identity.body, 'latin1') : identity.body;
  const compression = compress(bytes, encoding).then((compressed) => {
    // The uncompressed response and its compressed variants can share a weak ETag. Strong ETags would have to be
    // different for each of them.
    const weak = headers.map((value) => (value === etag ? toWeak(etag) : value));
    variants.set(encoding, createVariant([...weak, 'Content-Encoding', encoding], compressed));
  });
  compressions.set(encoding, compression);
  return compression;
}

/** Sends the variant with this encoding, or the uncompressed body if the variant is not ready yet. */
function send(
  req: IncomingMessage,
  res: ServerResponse,
  { etag, headers, variants, identity }: CachedResponse,
  encoding: Encoding,
  ownHeaders: HeaderList,
): void {
  if (isNotModified(req, etag)) {
    res.writeHead(304, [...headers, ...ownHeaders]).end();
    return;
  }
  const variant = variants.get(encoding) ?? identity;
  res.writeHead(200, [...variant.headers, ...ownHeaders]);
  res.end(req.method === 'HEAD' ? undefined : variant.body, 'latin1');
}
