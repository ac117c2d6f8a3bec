/**
 * Returns a path of the API as a reference that is relative to the path of the request. So the reference is also correct for
 * clients whose proxy serves the API under another path, such as /api.
 */
export function relativeReference(requestPath: string, path: string): string {
  const folderCount = requestPath.split('/').length - 2;
  return '../'.repeat(folderCount) + path.replace(/^\//, '');
}
