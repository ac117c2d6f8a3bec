/**
 * Returns a path of the API relative to the path of the request. A relative reference is also correct if a proxy serves the
 * API under another path, such as /api.
 */
export function relativeReference(requestPath: string, path: string): string {
  const folderCount = requestPath.split('/').length - 2;
  return '../'.repeat(folderCount) + path.replace(/^\//, '');
}
