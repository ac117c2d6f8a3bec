/** Returns the names of the given chunks and of all chunks that they import statically, directly or indirectly. */
export function withStaticImports(
  names: Iterable<string>,
  importsOf: (name: string) => readonly string[] | undefined,
): Set<string> {
  const found = new Set(names);
  // A loop over a Set also visits names that are added during the loop. So it finds indirect imports.
  for (const name of found) for (const imported of importsOf(name) ?? []) found.add(imported);
  return found;
}
