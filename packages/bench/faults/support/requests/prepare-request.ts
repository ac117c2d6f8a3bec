import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { signUpOrLogIn } from '../../../src/customers.ts';
import { nextAddress } from '../client.ts';
import type { Installation, SignedUp } from '../installation.ts';
import { authorizationOf } from './authorization.ts';
import type { BodyPlan } from './bodies.ts';
import type { HeaderLine } from './headers.ts';
import type { KnownData, KnownPage } from './known-data.ts';
import { replacePlaceholders } from './placeholders.ts';
import type { IdentityKind, RequestPlan } from './request-plans.ts';

/** A request that can be sent: its placeholders are replaced by values. */
export interface PreparedRequest {
  operation: string;
  method: string;
  /** The path and the query. */
  target: string;
  headers: readonly HeaderLine[];
  body: Buffer | undefined;
  identityKind: IdentityKind;
  /** The customer whose token the request contains. In some requests, the token was changed. */
  customer: SignedUp;
}

const unknownId = '0'.repeat(24);

/**
 * Replaces the placeholders in a planned request by values that exist, such as the id of a service (see
 * placeholders.ts). Encodes the body, and adds the necessary headers.
 */
export async function prepareRequest(
  plan: RequestPlan,
  data: KnownData,
  installation: Installation,
): Promise<PreparedRequest> {
  const { operation, method, identity, nextPage } = plan;
  const page = nextPage && pick(data.pagesByOperation.get(operation) ?? [], nextPage.index);
  const owners: SignedUp[] = [];
  let target = '';
  const replaceRows = (text: string) =>
    replacePlaceholders(text, (kind, index) => {
      if (kind === 'email') return undefined;
      if (kind === 'version') return data.caseVersions.get(target.replace(/^\/moderation\//, ''));
      const known = pick(data.values[kind], index);
      const owner = operation.endsWith('/reply') ? known?.lister : known?.owner;
      if (owner) owners.push(owner);
      return known?.value ?? unknownId;
    });
  target = page ? changeCursor(page, nextPage?.change) : replaceRows(plan.target);
  const { content = '' } = plan.body ?? {};
  const text = typeof content === 'string' ? replaceRows(content) : content;

  let kind: IdentityKind = identity.kind;
  if (page) kind = page.customer ? 'owner' : 'none';
  const [named, other] = [pick(data.customers, identity.index), pick(data.customers, identity.index + 1)];
  const moderator = pick(data.moderators, identity.index);
  if (!named || !other || !moderator) throw new Error('There are no customers.');
  const byKind: Partial<Record<IdentityKind, SignedUp>> = { owner: page?.customer ?? owners[0] ?? named, moderator };
  let customer = byKind[kind] ?? named;
  // Other requests need the accounts in `data`. So each request that can delete an account uses a new customer.
  if (operation === 'DELETE /account' && /^(odd)?IdToken$/i.test(kind)) customer = await signUpDisposable(installation);
  const authorization = authorizationOf({ ...identity, kind }, { customer, other, expiredToken: data.expiredToken });

  const replaceEmail = (part: string) =>
    replacePlaceholders(part, (_, index) => (index % 8 === 0 ? other.email : customer.email));
  const body = plan.body && encodeBody(plan.body, typeof text === 'string' ? replaceEmail(text) : text);
  const headers: HeaderLine[] = [
    ['Host', new URL(installation.apis[0]?.origin ?? '').host],
    ['X-Forwarded-For', nextAddress()],
    ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
    ...plan.headers,
    ...(body ? bodyHeadersOf(plan.body, body) : []),
  ];
  return { operation, method, target: replaceEmail(target), headers, body, identityKind: kind, customer };
}

function pick<T>(items: readonly T[], index: number): T | undefined {
  return items[index % items.length];
}

let disposableCount = 0;
/** Signs up a new customer, without requesting an access token of the API. */
async function signUpDisposable({ emulatorOrigin }: Installation): Promise<SignedUp> {
  disposableCount += 1;
  const name = `requests-disposable-${disposableCount}`;
  return { name, token: '', ...(await signUpOrLogIn({ api: '', authEmulator: emulatorOrigin }, name)) };
}

/** Replaces a value in the cursor of a page. Never replaces the first value, which identifies the list of the cursor. */
function changeCursor({ target }: KnownPage, change: { position: number; value: unknown } | undefined): string {
  const parameters = new URLSearchParams(target.replace(/^[^?]*/, ''));
  const values = JSON.parse(Buffer.from(parameters.get('after') ?? '', 'base64url').toString()) as unknown;
  if (!change || !Array.isArray(values)) return target;
  values[1 + (change.position % (values.length - 1))] = change.value;
  parameters.set('after', Buffer.from(JSON.stringify(values)).toString('base64url'));
  return target.replace(/\?.*/s, `?${parameters.toString()}`);
}

const compressors = {
  none: (body: Buffer) => body,
  gzip: (body: Buffer) => gzipSync(body),
  deflate: (body: Buffer) => deflateSync(body),
  br: (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

function encodeBody({ charset, compression, paddingBytes }: BodyPlan, content: string | Buffer): Buffer {
  const encoded = typeof content === 'string' ? Buffer.from(content, charset) : content;
  return compressors[compression](Buffer.concat([encoded, Buffer.alloc(paddingBytes, ' ')]));
}

function bodyHeadersOf(plan: BodyPlan | undefined, { length }: Buffer): HeaderLine[] {
  const { headers = [], compression = 'none', isChunked = false } = plan ?? {};
  return [
    ...headers,
    ...(compression === 'none' ? [] : [['Content-Encoding', compression] as const]),
    isChunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(length)],
  ];
}
