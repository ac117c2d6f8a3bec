import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import https, { Agent } from 'node:https';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import jwt from 'jsonwebtoken';
import { afterAll, expect, test } from 'vitest';
import { createFirebaseIdentity } from '../src/auth/firebase-identity.ts';
import { bearer } from './support/bearer.ts';
import { createTestApp } from './support/test-app.ts';

const projectId = 'a-real-project';
const rsaPair = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
const { privateKey: pem, publicKey } = rsaPair();

/** Fields that replace those of the Firebase account in the response of the fake Google server. */
let account: Record<string, unknown> = {};
const google = createHttpServer((req, res) => {
  const responses: [RegExp, object][] = [
    [/^\/robot\/v1\/metadata\/x509\//, { 'a-key': publicKey }],
    [/^\/token/, { access_token: 'any', expires_in: 3600, token_type: 'Bearer' }],
    [
      /accounts:lookup$/,
      { users: [{ localId: 'someone', providerUserInfo: [{ providerId: 'password', rawId: email }], ...account }] },
    ],
  ];
  const [, body] = responses.find(([path]) => path.test(req.url ?? '')) ?? [];
  res.writeHead(body ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? {}));
});
/** A server that accepts connections but never responds. */
const unresponsive = createServer(() => {});
await Promise.all([
  once(google.listen(0, '127.0.0.1'), 'listening'),
  once(unresponsive.listen(0, '127.0.0.1'), 'listening'),
]);
const { globalAgent } = https;
afterAll(() => {
  https.globalAgent = globalAgent;
  google.close();
  unresponsive.close();
});

/** Connects every request to a local port instead of the requested host. */
class LocalAgent extends Agent {
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
  https.globalAgent = new LocalAgent(port);
  return createTestApp({ identity: () => createFirebaseIdentity({ mode: 'firebase', projectId, serviceAccount }) });
}

/** Creates an ID token like those of Firebase, but signs it with the key of the fake Google server. */
function createIdToken(changes: object = {}, algorithm: jwt.Algorithm = 'RS256', key = pem): string {
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
const requestToken = ({ api }: Awaited<ReturnType<typeof createTestApp>>, token: string) =>
  api.post('/jwt').set(bearer(token)).send({ email });

test('POST /jwt verifies the ID token with Google’s certificate, and checks the status of the account', async () => {
  const app = await withGoogleAt(portOf(google));
  const other = rsaPair().privateKey;
  const validSince = String(Math.floor(Date.now() / 1000) + 60);

  await requestToken(app, createIdToken()).expect(200);
  await requestToken(app, createIdToken({}, 'RS256', other)).expect(401);
  await requestToken(app, createIdToken().replace(/[^.]+$/, '')).expect(401);
  account = { disabled: true };
  await requestToken(app, createIdToken()).expect(401);
  account = { validSince };
  await requestToken(app, createIdToken()).expect(401);
  account = { providerUserInfo: [{ providerId: 'google.com', rawId: '1' }] };
  await requestToken(app, createIdToken()).expect(401);
});

test('POST /jwt returns 503, and not 401, when Google’s certificates cannot be fetched', async () => {
  const app = await withGoogleAt(1);
  await requestToken(app, createIdToken()).expect(503);
  expect(app.takeWarnings()).toHaveLength(1);
});

test('POST /jwt returns 503 after a timeout when the server of Google’s certificates does not respond', async () => {
  const app = await withGoogleAt(portOf(unresponsive));
  const started = performance.now();
  await requestToken(app, createIdToken()).expect(503);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(app.takeWarnings()).toHaveLength(1);
});

test('POST /jwt returns 401 for a token with an invalid format, algorithm or claim, even if Google’s certificates cannot be fetched', async () => {
  const app = await withGoogleAt(1);
  const emulatorToken = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${createIdToken().split('.')[1]}.`;
  for (const token of [
    'made-up',
    emulatorToken,
    createIdToken({ aud: 'another-project' }),
    createIdToken({ iss: 'https://issuer.example' }),
    createIdToken({ sub: '' }),
    createIdToken({}, 'RS512'),
  ])
    await requestToken(app, token).expect(401);
});
