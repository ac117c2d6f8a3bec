// The embedded MongoDB engine from npm needs glibc 2.38. Debian 12 and Ubuntu 22.04 have older versions. This engine may be
// the only MongoDB for a machine that can reach only package mirrors. So this file downloads the package `libc6` of a newer
// release from the package mirror of the machine. It unpacks the package into node_modules, which needs no root and installs
// nothing. The engine then runs with the loader of the unpacked library.
import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { commandTimeoutMs, root } from '../processes.ts';

const run = promisify(execFile);

const cache = join(root, 'node_modules/.cache/c-library');

/** For each Linux distribution, a release whose C library is new enough for the embedded MongoDB engine. */
const newerRelease: Record<string, string> = { debian: 'trixie', ubuntu: 'noble' };

/**
 * For each `process.arch`, the folder that contains the C library, and the file name of its loader. The loader is a
 * program that starts other programs with this C library.
 */
const architectures: Record<string, { libraries: string; loader: string }> = {
  x64: { libraries: 'x86_64-linux-gnu', loader: 'ld-linux-x86-64.so.2' },
  arm64: { libraries: 'aarch64-linux-gnu', loader: 'ld-linux-aarch64.so.1' },
};

/**
 * `launcher` is the command that starts node with a newer C library. It is empty if the C library of the operating
 * system is new enough.
 */
type Library = { launcher: readonly string[]; version?: string } | { missing: string };

/**
 * Finds or downloads a C library with at least this version. Returns the command that runs node with this library, or the
 * reason why there is none.
 */
export async function newerCLibrary(version: string): Promise<Library> {
  const installed = installedVersion();
  if (!installed) return { missing: 'it needs glibc, and this Node runs on another C library' };
  if (installed.localeCompare(version, 'en', { numeric: true }) >= 0) return { launcher: [] };
  const architecture = architectures[process.arch];
  if (!architecture) return { missing: `there is no newer C library for ${process.arch}` };
  try {
    const name =
      (await readdir(cache).catch(() => [])).find((entry) => /^glibc-[\d.]+$/.test(entry)) ?? (await download());
    const folder = join(cache, name, 'usr/lib', architecture.libraries);
    const loader = join(folder, architecture.loader);
    await access(loader);
    const path = [folder, `/usr/lib/${architecture.libraries}`, `/lib/${architecture.libraries}`].join(':');
    return { launcher: [loader, '--library-path', path], version: name.replace('glibc-', '') };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
    return {
      missing: `it needs glibc ${version}, this machine has ${installed}, and the download of a newer one failed (${reason})`,
    };
  }
}

function installedVersion(): string | undefined {
  // Without this option, the diagnostic report looks up the host name of every open connection, which is slow.
  Object.assign(process.report, { excludeNetwork: true });
  const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return report.header.glibcVersionRuntime;
}

/**
 * Downloads and unpacks the package `libc6` with apt. apt keeps its state in a temporary folder. Returns the name of the
 * folder with the unpacked library.
 */
async function download(): Promise<string> {
  const osRelease = await readFile('/etc/os-release', 'utf8');
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]+)"?$`, 'm').exec(osRelease)?.[1] ?? '';
  const distribution = field('ID');
  const release = newerRelease[distribution];
  if (!release) throw new Error(`${distribution} is neither ${Object.keys(newerRelease).join(' nor ')}`);
  const mirror = await ownMirror(field('VERSION_CODENAME'));
  const keyring = `/usr/share/keyrings/${distribution}-archive-keyring.gpg`;
  const hasKeyring = await access(keyring).then(
    () => true,
    () => false,
  );

  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'work-'));
  try {
    await mkdir(join(work, 'state/lists/partial'), { recursive: true });
    await mkdir(join(work, 'cache/archives/partial'), { recursive: true });
    await writeFile(
      join(work, 'sources.list'),
      `deb ${hasKeyring ? `[signed-by=${keyring}] ` : ''}${mirror} ${release} main\n`,
    );
    const settings = [
      `Dir::State=${work}/state`,
      `Dir::Cache=${work}/cache`,
      'Dir::State::status=/dev/null',
      `Dir::Etc::SourceList=${work}/sources.list`,
      'Dir::Etc::SourceParts=-',
      'Acquire::Languages=none',
      'Acquire::Retries=1',
      'Acquire::http::Timeout=10',
      'APT::Sandbox::User=root',
    ].flatMap((setting) => ['-o', setting]);
    const options = { cwd: work, timeout: commandTimeoutMs };
    await run('apt-get', [...settings, 'update'], options);
    await run('apt-get', [...settings, 'download', 'libc6'], options);
    const archive = (await readdir(work)).find((name) => name.endsWith('.deb')) ?? '';
    await run('dpkg-deb', ['-x', archive, 'unpacked'], options);
    const name = `glibc-${/^libc6_(\d+\.\d+)/.exec(archive)?.[1]}`;
    // If another process has already unpacked this version, the rename fails, and the copy of that process is used.
    await rename(join(work, 'unpacked'), join(cache, name)).catch(() => undefined);
    return name;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Finds the package mirror that this machine uses. */
async function ownMirror(codename: string): Promise<string> {
  const format = '$(CREATED_BY) $(RELEASE) $(COMPONENT) $(REPO_URI)';
  const { stdout } = await run('apt-get', ['indextargets', '--no-release-info', '--format', format], {
    timeout: commandTimeoutMs,
  });
  const prefix = `Packages ${codename} main `;
  const line = stdout.split('\n').find((candidate) => candidate.startsWith(prefix));
  if (!line) throw new Error(`apt has no mirror for ${codename}`);
  return line.slice(prefix.length).trim();
}
