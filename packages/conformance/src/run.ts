import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { madeCustomers, namedCustomers } from './customers.ts';
import type { OpenApiDocument } from './document.ts';
import { junit } from './junit.ts';
import { conform, type Result } from './kit.ts';

const usage = `Runs the API's contract against a running server, from its OpenAPI document.

  npx pnpm@12 conformance --url https://kitchen.example/api

  --url            where the API is: its own origin, or the web server's /api
  --document       the OpenAPI document, when it is not <url>/openapi.json
  --auth-emulator  makes two customers to act as, when the server trusts an Auth emulator: where that is, such as
                   http://localhost:8080, which docker compose up gives
  --junit          where the results go as JUnit's XML; reports/conformance.xml when not said

With a real Firebase project put the ID tokens of two customers made for this into CONFORMANCE_ID_TOKENS, separated by a
comma. With neither, only what needs no customer is tried. It adds one service, which stays, and reviews that it deletes.`;

const marks = { passed: '✓', failed: '✗', skipped: '–' };
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  process.exitCode = await run();
} catch (error) {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`);
  process.exitCode = 2;
}

/** Answers the exit code: 0 all held, 1 something did not. Rejects when it could not be tried. */
async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      document: { type: 'string' },
      'auth-emulator': { type: 'string' },
      junit: { type: 'string', default: 'reports/conformance.xml' },
      help: { type: 'boolean' },
    },
  });
  if (values.help || !values.url) {
    say(usage);
    return values.help ? 0 : 2;
  }
  const url = values.url.replace(/\/+$/, '');
  const document = await read(values.document ?? `${url}/openapi.json`);
  const emulator = values['auth-emulator']?.replace(/\/+$/, '');
  const { CONFORMANCE_ID_TOKENS: idTokens } = process.env;
  const customers = emulator ? await madeCustomers(emulator) : idTokens ? namedCustomers(idTokens) : [];
  const results = await conform({ url, document, customers, onResult: (result) => say(lineOf(result)) });
  await mkdir(dirname(values.junit), { recursive: true });
  await writeFile(values.junit, junit(results));
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  say(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped; ${values.junit}`);
  return count('failed') > 0 ? 1 : 0;
}

async function read(address: string): Promise<OpenApiDocument> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: name the document with --document.`);
  return (await answer.json()) as OpenApiDocument;
}

function lineOf({ group, name, outcome, reason }: Result): string {
  return `${marks[outcome]} ${group}: ${name}${reason ? `\n    ${reason}` : ''}`;
}
