import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { awayHeaders, awayProblem } from './api-proxy.ts';
import { buildHeader } from './pages.ts';
import { securityHeaders } from './security-headers.ts';
import { webConfigFrom } from './web-config.ts';

// Writes what the production web server imports, from the sources that `start` reads too: `caddy <folder of the built app>
// <folder of the Caddyfile>`. What only the place knows where it runs stays a variable, which Caddy fills in at its start.
const [app = '', out = ''] = process.argv.slice(2);
const html = readFileSync(join(app, 'index.html'), 'utf8');
const requestId = '{http.request.header.X-Request-Id}';

for (const mode of ['emulator', 'firebase'] as const) {
  const auth = webConfigFrom({
    AUTH_MODE: mode,
    FIREBASE_API_KEY: '{$FIREBASE_API_KEY}',
    FIREBASE_AUTH_DOMAIN: '{$FIREBASE_AUTH_DOMAIN}',
    FIREBASE_PROJECT_ID: '{$FIREBASE_PROJECT_ID}',
    FIREBASE_AUTH_EMULATOR_HOST: '{$WEB_HOST}',
  });
  const headers = securityHeaders({ html, auth, secure: false });
  const overHttps = Object.entries(securityHeaders({ html, auth, secure: true })).filter(
    ([name]) => !(name in headers),
  );
  writeFileSync(
    join(out, `${mode}.caddy`),
    [
      '# Written by apps/web/server/caddy.ts.',
      // Set last, so that they take the place of those of the API, whose pages are shown under them.
      snippet('security-headers', [
        ...block('header', [...fields(Object.entries(headers)), 'defer']),
        '@https protocol https',
        ...block('header @https', [...fields(overHttps), 'defer']),
      ]),
      snippet('web-build', [`header_up ${buildHeader(html).join(' ')}`]),
      snippet('config', ['header Content-Type application/json', respond(200, auth)]),
      snippet('api-away', [
        ...block('header', fields(Object.entries({ ...awayHeaders, 'X-Request-Id': requestId }))),
        '@reads method GET HEAD',
        ...block('handle @reads', [respond(503, awayProblem(true, requestId))]),
        ...block('handle', [respond(503, awayProblem(false, requestId))]),
      ]),
    ].join('\n'),
  );
}

function snippet(name: string, lines: string[]): string {
  return `${block(`(${name})`, lines).join('\n')}\n`;
}

function block(opening: string, lines: string[]): string[] {
  return [`${opening} {`, ...lines.map((line) => `\t${line}`), '}'];
}

function fields(entries: [string, string][]): string[] {
  return entries.map(([name, value]) => `${name} ${quoted(value)}`);
}

function respond(status: number, body: object): string {
  return `respond ${quoted(JSON.stringify(body))} ${status}`;
}

/** Nothing is an escape between backquotes. */
function quoted(text: string): string {
  if (text.includes('`')) throw new Error(`Caddy cannot take a backquote: ${text}`);
  return `\`${text}\``;
}
