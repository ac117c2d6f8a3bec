import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import https, { Agent } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import jwt from 'jsonwebtoken';
import { afterAll, expect, test } from 'vitest';
import { createFirebaseIdentity } from '../src/auth/firebase-identity.ts';
import { testApp } from './support/test-app.ts';

const projectId = 'a-real-project';
const rsaPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
const { privateKey: pem, publicKey } = rsaPair();

/** What stands in for Google here: it serves the project's certificate, and one account. */
let account: Record<string, unknown> = {};
const google = createHttpServer((req, res) => {
  const answers: [RegExp, object][] = [
    [/^\/robot\/v1\/metadata\/x509\//, { 'a-key': publicKey }],
    [/^\/token/, { access_token: 'any', expires_in: 3600, token_type: 'Bearer' }],
    [
      /accounts:lookup$/,
      { users: [{ localId: 'someone', providerUserInfo: [{ providerId: 'password', rawId: email }], ...account }] },
    ],
  ];
  const [, answer] = answers.find(([path]) => path.test(req.url ?? '')) ?? [];
  res.writeHead(answer ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer ?? {}));
});
/** Takes every connection, and answers nothing. */
const silent = createServer(() => {});
await Promise.all([once(google.listen(0, '127.0.0.1'), 'listening'), once(silent.listen(0, '127.0.0.1'), 'listening')]);
const { globalAgent } = https;
afterAll(() => {
  https.globalAgent = globalAgent;
  google.close();
  silent.close();
});

/** Leads every call for Google to a port of this machine. */
class Detour extends Agent {
  readonly port: number;

  constructor(port: number) {
    super();
    this.port = port;
  }

  override createConnection() {
    return connect(this.port, '127.0.0.1');
  }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

function withGoogleAt(port: number) {
  const serviceAccount = { projectId, clientEmail: `api@${projectId}.iam.gserviceaccount.com`, privateKey: pem };
  https.globalAgent = new Detour(port);
  return testApp({ identity: () => createFirebaseIdentity({ mode: 'firebase', projectId, serviceAccount }) });
}

/** An ID token as Firebase makes it, signed with a key of ours. */
function idToken(changes: object = {}, algorithm: jwt.Algorithm = 'RS256', key = pem): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    aud: projectId,
    iss: `https://securetoken.google.com/${projectId}`,
    sub: 'someone',
    auth_time: now,
    firebase: { sign_in_provider: 'password' },
  };
  return jwt.sign({ ...claims, email, ...changes }, key, { algorithm, keyid: 'a-key', expiresIn: 3600 });
}

const email = 'someone@kitchen.example';
const ask = ({ api }: Awaited<ReturnType<typeof testApp>>, token: string) =>
  api.post('/jwt').set('Authorization', `Bearer ${token}`).send({ email });

test('a token is checked against Google’s certificate, and its customer against Google’s accounts', async () => {
  const app = await withGoogleAt(portOf(google));
  const other = rsaPair().privateKey;
  const validSince = String(Math.floor(Date.now() / 1000) + 60);

  await ask(app, idToken()).expect(200);
  await ask(app, idToken({}, 'RS256', other)).expect(401);
  await ask(app, idToken().replace(/[^.]+$/, '')).expect(401);
  account = { disabled: true };
  await ask(app, idToken()).expect(401);
  account = { validSince };
  await ask(app, idToken()).expect(401);
  account = { providerUserInfo: [{ providerId: 'google.com', rawId: '1' }] };
  await ask(app, idToken()).expect(401);
});

test('a token that no certificate could be fetched for is nobody’s fault: 503, not 401', async () => {
  const app = await withGoogleAt(1);
  await ask(app, idToken()).expect(503);
  expect(app.takeLogged()).toHaveLength(1);
});

test('certificates are waited for no longer than 4 s', async () => {
  const app = await withGoogleAt(portOf(silent));
  const started = performance.now();
  await ask(app, idToken()).expect(503);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(app.takeLogged()).toHaveLength(1);
});

test('a token that is wrong in itself is 401 even then', async () => {
  const app = await withGoogleAt(1);
  const emulators = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${idToken().split('.')[1]}.`;
  for (const token of [
    'made-up',
    emulators,
    idToken({ aud: 'another-project' }),
    idToken({ iss: 'https://issuer.example' }),
    idToken({ sub: '' }),
    idToken({}, 'RS512'),
  ])
    await ask(app, token).expect(401);
});
