/**
 * Resolves a relative URL of a response header, such as Location. `requestPath` is the path of the request. Returns the
 * path and the query of the resolved URL.
 */
export function resolveReference(requestPath: string, reference = ''): string {
  const { pathname, search } = new URL(reference, `http://api.example${requestPath}`);
  return pathname + search;
}

/** Returns the path and the query of the next page, or undefined if the response is the last page. */
export function nextPagePath(requestPath: string, headers: Record<string, string>): string | undefined {
  const reference = /^<([^>]*)>; rel="next"$/.exec(headers.link ?? '')?.[1];
  return reference === undefined ? undefined : resolveReference(requestPath, reference);
}
