/** Returns the given chunks and all chunks that they import statically, by name. */
export function withStaticImports(
  names: Iterable<string>,
  importsOf: (name: string) => readonly string[] | undefined,
): Set<string> {
  const found = new Set(names);
  // The loop also visits the names that are added while it runs.
  for (const name of found) for (const imported of importsOf(name) ?? []) found.add(imported);
  return found;
}
