import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

// Tests which packages pnpm rejects because of the settings in pnpm-workspace.yaml. The packages come from a small local
// registry.

interface Release {
  ageDays: number;
  hasProvenance?: boolean;
  dependencies?: Record<string, string>;
}

const registry = createServer(({ url = '' }, res) => {
  if (url === '/elsewhere.tgz') return res.end(elsewhere);
  const releases = releasesByName[url.slice(1)];
  return releases
    ? res.setHeader('Content-Type', 'application/json').end(metadata(url.slice(1), releases))
    : res.writeHead(404).end();
});
await once(registry.listen(0, '127.0.0.1'), 'listening');
const scratch = mkdtempSync(join(tmpdir(), 'rtr-supply-chain-'));
afterAll(() => {
  registry.close();
  rmSync(scratch, { recursive: true });
});
mkdirSync(join(scratch, 'package'));
writeFileSync(join(scratch, 'package/package.json'), '{"name":"elsewhere","version":"1.0.0"}');
const elsewhere = execFileSync('tar', ['-cz', 'package'], { cwd: scratch });
const origin = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;

/** Each package has the releases 1.0.0 and 1.1.0. */
const releasesByName: Record<string, Release[]> = {
  genuine: [
    { ageDays: 60, hasProvenance: true },
    { ageDays: 4, hasProvenance: true },
  ],
  young: [{ ageDays: 60 }, { ageDays: 2 }],
  downgraded: [{ ageDays: 60, hasProvenance: true }, { ageDays: 4 }],
  'downgraded-long-ago': [{ ageDays: 60, hasProvenance: true }, { ageDays: 31 }],
  exotic: [{ ageDays: 60 }, { ageDays: 60, dependencies: { elsewhere: `${origin}/elsewhere.tgz` } }],
};

test.each([
  ['that is older than three days, if it has provenance like the previous release', 'genuine'],
  ['that is older than 30 days, even if only the previous release has provenance', 'downgraded-long-ago'],
])('pnpm installs a release %s', async (_, name) => {
  await expect(install(name)).resolves.toContain('Done in');
});

test.each([
  ['a release that is younger than three days', 'young', 'ERR_PNPM_NO_MATURE_MATCHING_VERSION'],
  ['a release without provenance after one with provenance', 'downgraded', 'trust downgrade for "downgraded@1.1.0"'],
  ['an indirect dependency that is not from the registry', 'exotic', 'ERR_PNPM_EXOTIC_SUBDEP'],
])('pnpm rejects %s', async (_, name, error) => {
  await expect(install(name)).rejects.toMatchObject({ stderr: expect.stringContaining(error) });
});

/** Creates a lock file with version 1.1.0 of a package. Resolves with the output of pnpm. */
async function install(name: string): Promise<string> {
  const folder = join(scratch, name);
  mkdirSync(folder);
  const workspace = parse(readFileSync(new URL('../pnpm-workspace.yaml', import.meta.url), 'utf8'));
  // These settings refer to files and packages of this repository, which do not exist in the folder of the test.
  for (const name of ['packages', 'catalog', 'overrides', 'patchedDependencies']) delete workspace[name];
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), stringify(workspace));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { [name]: '1.1.0' } }));
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') };
  const args = ['-y', 'pnpm@12', 'install', '--lockfile-only', `--registry=${origin}/`];
  return (await promisify(execFile)('npx', args, { cwd: folder, env })).stdout;
}

function metadata(name: string, releases: Release[]): string {
  const versions = releases.map(({ hasProvenance, dependencies = {} }, minor) => {
    const version = `1.${minor}.0`;
    const provenance = { predicateType: 'https://slsa.dev/provenance/v1' };
    const dist = {
      tarball: `${origin}/${name}-${version}.tgz`,
      integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
      ...(hasProvenance && { attestations: { url: `${origin}/attestations`, provenance } }),
    };
    return { name, version, dependencies, dist };
  });
  const published = ({ ageDays }: Release) => new Date(Date.now() - ageDays * 24 * 60 * 60_000).toISOString();
  return JSON.stringify({
    name,
    'dist-tags': { latest: '1.1.0' },
    time: Object.fromEntries(releases.map((release, minor) => [`1.${minor}.0`, published(release)])),
    versions: Object.fromEntries(versions.map((version) => [version.version, version])),
  });
}
