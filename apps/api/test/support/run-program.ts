import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const { NODE_COMPILE_CACHE = '' } = process.env;

/** Runs a command-line program of the API until it exits. Apart from the cache, it has only the variables in `env`. */
export async function runProgram(
  name: 'migrate' | 'operate' | 'rotate' | 'seed' | 'server',
  args: readonly string[],
  env: Record<string, string | undefined> = {},
  input = '',
): Promise<{ code: number; stdout: string; stderr: string }> {
  const entry = fileURLToPath(new URL(`../../src/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [entry, ...args], { env: { NODE_COMPILE_CACHE, ...env } });
  child.stdin.end(input);
  const closed = once(child, 'close') as Promise<[number]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}
