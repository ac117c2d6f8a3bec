import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';

// Tests which packages pnpm rejects with the settings of pnpm-workspace.yaml. Installs packages from a small local registry.

interface Release {
  ageDays: number;
  hasProvenance?: boolean;
  dependencies?: Record<string, string>;
}

/** The releases of each package, oldest first. Their versions are 1.0.0, 1.1.0 and so on. */
const releasesOf: Record<string, Release[]> = {
  genuine: [
    { ageDays: 60, hasProvenance: true },
    { ageDays: 4, hasProvenance: true },
  ],
  young: [{ ageDays: 60 }, { ageDays: 2 }],
  downgraded: [{ ageDays: 60, hasProvenance: true }, { ageDays: 4 }],
  'downgraded-long-ago': [{ ageDays: 60, hasProvenance: true }, { ageDays: 31 }],
};

const registry = createServer((req, res) => {
  if (req.url === '/elsewhere.tgz')
    return res.end(tarball('package/package.json', '{"name":"elsewhere","version":"1.0.0"}'));
  const name = req.url?.slice(1) ?? '';
  const releases = releasesOf[name];
  return releases
    ? res.setHeader('Content-Type', 'application/json').end(JSON.stringify(metadata(name, releases)))
    : res.writeHead(404).end();
});
await once(registry.listen(0, '127.0.0.1'), 'listening');
const origin = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
releasesOf.exotic = [{ ageDays: 60 }, { ageDays: 60, dependencies: { elsewhere: `${origin}/elsewhere.tgz` } }];
afterAll(() => {
  registry.close();
});

test('pnpm installs a release that is old enough and has provenance, like the earlier releases', async () => {
  expect(await refusal('genuine')).toBeUndefined();
});

test('pnpm refuses a release that is younger than three days', async () => {
  expect(await refusal('young')).toContain('ERR_PNPM_NO_MATURE_MATCHING_VERSION');
});

test('pnpm refuses a release without provenance if an earlier release has provenance', async () => {
  expect(await refusal('downgraded')).toContain('trust downgrade for "downgraded@1.1.0"');
});

test('pnpm installs a release that is older than 30 days, even if it lacks the provenance of an earlier release', async () => {
  expect(await refusal('downgraded-long-ago')).toBeUndefined();
});

test('pnpm refuses an indirect dependency that is not from the registry', async () => {
  expect(await refusal('exotic')).toContain('ERR_PNPM_EXOTIC_SUBDEP');
});

/** Returns the error that pnpm prints when it rejects version 1.1.0 of a package, or undefined if pnpm accepts it. */
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

function metadata(name: string, releases: Release[]): object {
  const published = (ageDays: number) => new Date(Date.now() - ageDays * 24 * 60 * 60_000).toISOString();
  const provenance = {
    attestations: { url: `${origin}/attestations`, provenance: { predicateType: 'https://slsa.dev/provenance/v1' } },
  };
  const versions = releases.map(({ hasProvenance = false, dependencies = {} }, minor) => {
    const version = `1.${minor}.0`;
    const dist = {
      tarball: `${origin}/${name}-${version}.tgz`,
      integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
    };
    return [version, { name, version, dependencies, dist: { ...dist, ...(hasProvenance && provenance) } }] as const;
  });
  return {
    name,
    'dist-tags': { latest: versions.at(-1)?.[0] },
    time: Object.fromEntries(versions.map(([version], index) => [version, published(releases[index]?.ageDays ?? 0)])),
    versions: Object.fromEntries(versions),
  };
}

/** Creates a gzipped tar archive that contains one small file. */
function tarball(path: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(path, 0);
  header.write('0000644\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        0', 148);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return gzipSync(Buffer.concat([header, Buffer.from(content.padEnd(512, '\0')), Buffer.alloc(1024)]));
}
