import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { countOutcomes, type Result, reasonOf, runChecks } from './checks.ts';
import { customersOf, signUpCustomers } from './customers.ts';
import type { OpenApiDocument } from './document.ts';
import { junit } from './junit.ts';

const usage = `Checks a running API against its OpenAPI document.

  npx pnpm@12 conformance --url https://kitchen.example/api

  --url            the address of the API: its own origin, or /api of the web server
  --document       the address of the OpenAPI document, if it is not <url>/openapi.json
  --auth-emulator  the address of the Auth emulator that the server uses, or http://localhost:8080 after
                   docker compose up. The check signs up two customers there, and a moderator if this is the address
                   of the emulator itself. The web server does not forward the call that adds a moderator.
  --junit          the file for the results in the XML format of JUnit; reports/conformance.xml by default

For a real Firebase project, set CONFORMANCE_ID_TOKENS to the ID tokens of two test customers and a moderator, separated by
commas. Without customers, the cases that need one are skipped. Without a moderator, the cases for reports are skipped.
The check adds one service, which stays, and reviews, which it deletes. The moderator closes the cases of its reports.`;

const marks = { passed: '✓', failed: '✗', skipped: '–' };
const say = (line: string) => process.stdout.write(`${line}\n`);

try {
  process.exitCode = await run();
} catch (error) {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exitCode = 2;
}

/**
 * Runs the checks and returns the exit code: 0 if no test case failed, 1 if one failed, 2 if --url is missing. Rejects if the
 * server cannot be reached or an argument is invalid.
 */
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
  const customers = emulator ? await signUpCustomers(emulator) : idTokens ? customersOf(idTokens) : [];
  const results = await runChecks({ url, document, customers, onResult: (result) => say(lineOf(result)) });
  await mkdir(dirname(values.junit), { recursive: true });
  await writeFile(values.junit, junit(results));
  const { passed, failed, skipped } = countOutcomes(results);
  say(`\n${passed} passed, ${failed} failed, ${skipped} skipped; ${values.junit}`);
  return failed > 0 ? 1 : 0;
}

async function read(address: string): Promise<OpenApiDocument> {
  const response = await fetch(address);
  if (!response.ok)
    throw new Error(
      `${address} responded with ${response.status}. Set --document to the address of the OpenAPI document.`,
    );
  return (await response.json()) as OpenApiDocument;
}

function lineOf({ group, name, outcome, reason }: Result): string {
  return `${marks[outcome]} ${group}: ${name}${reason ? `\n    ${reason}` : ''}`;
}
