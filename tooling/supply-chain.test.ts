import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

// Resolves packages of a small registry with the settings of pnpm-workspace.yaml, to see which releases pnpm refuses.

interface Release {
  ageDays: number;
  hasProvenance?: boolean;
}

/** The releases of a package, oldest first: 1.0.0, 1.1.0 and so on. */
const releasesOf: Record<string, Release[]> = {
  genuine: [
    { ageDays: 60, hasProvenance: true },
    { ageDays: 4, hasProvenance: true },
  ],
  young: [{ ageDays: 60 }, { ageDays: 2 }],
  downgraded: [{ ageDays: 60, hasProvenance: true }, { ageDays: 4 }],
};

const registry = createServer((req, res) => {
  const name = req.url?.slice(1) ?? '';
  const releases = releasesOf[name];
  if (releases) res.setHeader('Content-Type', 'application/json').end(JSON.stringify(metadata(name, releases)));
  else res.writeHead(404).end();
});
await once(registry.listen(0, '127.0.0.1'), 'listening');
const origin = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
afterAll(() => {
  registry.close();
});

test('pnpm installs a release that is old enough and has the provenance of the releases before it', async () => {
  expect(await refusal('genuine')).toBeUndefined();
});

test('pnpm refuses a release that is younger than three days', async () => {
  expect(await refusal('young')).toContain('ERR_PNPM_NO_MATURE_MATCHING_VERSION');
});

test('pnpm refuses a release without the provenance that an earlier release has', async () => {
  expect(await refusal('downgraded')).toContain('trust downgrade for "downgraded@1.1.0"');
});

/** Returns what pnpm prints when it refuses version 1.1.0 of a package, or undefined when it accepts that version. */
async function refusal(name: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'rtr-supply-chain-'));
  const {
    packages: _packages,
    catalog: _catalog,
    overrides: _overrides,
    ...settings
  } = parse(readFileSync(new URL('../pnpm-workspace.yaml', import.meta.url), 'utf8'));
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), stringify(settings));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { [name]: '1.1.0' } }));
  const install = ['-y', 'pnpm@12', 'install', '--lockfile-only', `--registry=${origin}/`];
  try {
    await promisify(execFile)('npx', install, {
      cwd: folder,
      env: { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') },
    });
    return undefined;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The document that a registry returns for a package. */
function metadata(name: string, releases: Release[]): object {
  const published = (ageDays: number) => new Date(Date.now() - ageDays * 24 * 60 * 60_000).toISOString();
  const provenance = {
    attestations: { url: `${origin}/attestations`, provenance: { predicateType: 'https://slsa.dev/provenance/v1' } },
  };
  const versions = releases.map(({ hasProvenance = false }, minor) => {
    const version = `1.${minor}.0`;
    const dist = {
      tarball: `${origin}/${name}-${version}.tgz`,
      integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
    };
    return [version, { name, version, dist: { ...dist, ...(hasProvenance && provenance) } }] as const;
  });
  return {
    name,
    'dist-tags': { latest: versions.at(-1)?.[0] },
    time: Object.fromEntries(versions.map(([version], index) => [version, published(releases[index]?.ageDays ?? 0)])),
    versions: Object.fromEntries(versions),
  };
}
