import { strict as assert } from 'node:assert';
import type { Method, OpenApiDocument } from './document.ts';
import { createResponseCheck } from './response-check.ts';

export interface Call {
  token?: string | undefined;
  headers?: Record<string, string>;
  json?: unknown;
  raw?: string;
  type?: string;
}

export interface CheckedResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface Server {
  /**
   * Sends a request and checks the response against the OpenAPI document. Throws an AssertionError if the response violates
   * the document, or if its status is not `status`.
   */
  call(method: Method, path: string, status: number, call?: Call): Promise<CheckedResponse>;
}

/** Creates a client for the API at `url`. The client checks every response against the OpenAPI document. */
export function connect(url: string, document: OpenApiDocument): Server {
  const check = createResponseCheck(document);
  return {
    async call(method, path, status, { token, headers, json, raw, type = 'application/json' } = {}) {
      const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
      const response = await fetch(`${url}${path}`, {
        method: method.toUpperCase(),
        headers: {
          ...(body !== undefined && { 'Content-Type': type }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      const place = `${method.toUpperCase()} ${path.slice(0, 120)} responded with ${response.status}`;
      assert.equal(response.status, status, `${place}; expected ${status}. ${text.slice(0, 300)}`);
      const received = { status, headers: response.headers, text };
      return { status, headers: response.headers, body: check(method.toUpperCase(), path, received) };
    },
  };
}
