import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { commandTimeoutMs } from './processes.ts';

const run = promisify(execFile);

/** Fetched once a clone; goes with node_modules. */
const cache = fileURLToPath(new URL('../../../node_modules/.cache/c-library', import.meta.url));

/** Per distribution, a release whose C library is new enough. */
const newerRelease: Record<string, string> = { debian: 'trixie', ubuntu: 'noble' };

/** Debian's and Node's names of a machine: the folder of its libraries and the file that loads programs. */
const machines: Record<string, { libraries: string; loader: string }> = {
  x64: { libraries: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { libraries: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

type Library = { launcher: readonly string[]; version?: string } | { missing: string };

/**
 * What has to stand before `node` so that it runs under a C library of at least `version`: nothing when the machine's own
 * is new enough, else the loader of a newer one, fetched from the machine's own mirror without root and kept aside.
 */
export async function newerCLibrary(version: string): Promise<Library> {
  const own = ownVersion();
  if (!own) return { missing: 'it needs glibc, and this Node runs on another C library' };
  if (own.localeCompare(version, 'en', { numeric: true }) >= 0) return { launcher: [] };
  const machine = machines[process.arch];
  if (!machine) return { missing: `there is no newer C library for ${process.arch}` };
  try {
    const kept =
      (await readdir(cache).catch(() => [])).find((name) => /^glibc-[\d.]+$/.test(name)) ?? (await fetchCLibrary());
    const folder = join(cache, kept, 'usr/lib', machine.libraries);
    const loader = join(folder, machine.loader);
    await access(loader);
    const path = [folder, `/usr/lib/${machine.libraries}`, `/lib/${machine.libraries}`].join(':');
    return { launcher: [loader, '--library-path', path], version: kept.replace('glibc-', '') };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    return {
      missing: `it needs glibc ${version}, this machine has ${own}, and a newer one could not be fetched (${reason})`,
    };
  }
}

function ownVersion(): string | undefined {
  // Else the report looks up the name of every open connection.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return report.header.glibcVersionRuntime;
}

/** Downloads `libc6` of a newer release with apt, into state and cache folders of its own; says where it is. */
async function fetchCLibrary(): Promise<string> {
  const osRelease = await readFile('/etc/os-release', 'utf8');
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]+)"?$`, 'm').exec(osRelease)?.[1] ?? '';
  const distribution = field('ID');
  const release = newerRelease[distribution];
  if (!release)
    throw new Error(`only ${Object.keys(newerRelease).join(' and ')} offer one, and this is ${distribution}`);
  const mirror = await ownMirror(field('VERSION_CODENAME'));
  const keyring = `/usr/share/keyrings/${distribution}-archive-keyring.gpg`;
  const trust = (await isThere(keyring)) ? `[signed-by=${keyring}] ` : '';

  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'work-'));
  try {
    await mkdir(join(work, 'state/lists/partial'), { recursive: true });
    await mkdir(join(work, 'cache/archives/partial'), { recursive: true });
    await writeFile(join(work, 'sources.list'), `deb ${trust}${mirror} ${release} main\n`);
    const settings = [
      `Dir::State=${work}/state`,
      `Dir::Cache=${work}/cache`,
      'Dir::State::status=/dev/null',
      `Dir::Etc::SourceList=${work}/sources.list`,
      'Dir::Etc::SourceParts=-',
      'Acquire::Languages=none',
      'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false',
      'Acquire::Retries=1',
      'Acquire::http::Timeout=10',
      'APT::Sandbox::User=root',
    ].flatMap((setting) => ['-o', setting]);
    const options = { cwd: work, timeout: commandTimeoutMs };
    await run('apt-get', [...settings, 'update'], options);
    await run('apt-get', [...settings, 'download', 'libc6'], options);
    const archive = (await readdir(work)).find((name) => name.endsWith('.deb'));
    const version = /^libc6_(\d+\.\d+)/.exec(archive ?? '')?.[1];
    if (!archive || !version) throw new Error(`${mirror} gave no libc6`);
    const unpacked = join(work, 'unpacked');
    await run('dpkg-deb', ['-x', archive, unpacked], options);
    const kept = `glibc-${version}`;
    // Another run may have put it there in the meantime: then that one serves.
    await rename(unpacked, join(cache, kept)).catch(() => undefined);
    return kept;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The mirror from which this machine's own packages come. */
async function ownMirror(codename: string): Promise<string> {
  const format = '$(CREATED_BY) $(RELEASE) $(COMPONENT) $(REPO_URI)';
  const { stdout } = await run('apt-get', ['indextargets', '--no-release-info', '--format', format], {
    timeout: commandTimeoutMs,
  });
  const prefix = `Packages ${codename} main `;
  const line = stdout.split('\n').find((candidate) => candidate.startsWith(prefix));
  if (!line) throw new Error(`apt names no mirror for ${codename}`);
  return line.slice(prefix.length).trim();
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
