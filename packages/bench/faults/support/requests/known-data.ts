import { callAuthEmulator, demoProject } from '@rtr/dev-stack/auth-emulator';
import { call } from '../client.ts';
import { type Installation, runningOf, type SignedUp } from '../installation.ts';
import type { PlaceholderKind } from './placeholders.ts';

export interface KnownValue {
  value: string;
  /** The customer who may change the row. For a message, the customer who has received it. */
  owner?: SignedUp | undefined;
  /** The customer who may reply to the review. */
  lister?: SignedUp | undefined;
}

export interface KnownPage {
  /** The path and the query of the page. */
  target: string;
  /** The customer who received the response that links to this page. Undefined if a visitor received it. */
  customer: SignedUp | undefined;
}

/**
 * The customers, rows and pages that requests can refer to. `learnFrom` adds the rows and pages that responses contain.
 */
export interface KnownData {
  customers: readonly SignedUp[];
  moderators: readonly SignedUp[];
  expiredToken: string;
  values: Record<Exclude<PlaceholderKind, 'email' | 'version'>, KnownValue[]>;
  /** The newest known version of each moderation case. */
  caseVersions: Map<string, string>;
  pagesByOperation: Map<string, KnownPage[]>;
}

/** One in every 8 people is a moderator. */
const peoplePerModerator = 8;
const maxKnownPages = 100;
/** The number of customers who sign up at the same time. */
const signUpsAtOnce = 10;
/**
 * The API issues one access token while its clock is set back by this time. The token is valid for an hour, so it has
 * expired when the clock is right again.
 */
const expiredClockMs = -62 * 60_000;
/**
 * After the moderators were chosen, the monotonic clock of the API moves forward by this time. The API then reads the
 * account statuses again. Until then, it uses cached statuses, in which nobody is a moderator.
 */
const statusRefreshMs = 2 * 60_000;

/**
 * Signs people up, and adds services, reviews and messages in the names of the customers. Half of the reviews have a reply. Half
 * of the reviews with a reply and half of the reviews without one are reported. Some services are reported, and hidden like some
 * of the reported reviews.
 */
export async function createKnownData(installation: Installation, count: number): Promise<KnownData> {
  const people = await signUpAll(installation, count);
  const moderators = people.filter((_, index) => index % peoplePerModerator === 0);
  const customers = people.filter((person) => !moderators.includes(person));
  for (const { uid } of moderators)
    await callAuthEmulator(
      installation.emulatorOrigin,
      `projects/${demoProject}/accounts:update`,
      { localId: uid, customAttributes: '{"moderator":true}' },
      { Authorization: 'Bearer owner' },
    );
  const values: KnownData['values'] = {
    service: [],
    hiddenService: [],
    lister: [],
    review: [],
    hiddenReview: [],
    conversation: [],
    message: [],
    case: [],
    picture: [],
    pictureUrl: [],
    privatePicture: [],
    unsubscribeKey: [],
  };
  await Promise.all(
    customers.flatMap((owner) =>
      ['Hood cleaning', 'Duct cleaning'].map(async (title) => {
        const { insertedId: value = '' } = await send('POST', '/services', owner, { title, description: 'We clean.' });
        values.service.push({ value, owner });
        const { listerId = '' } = await send('GET', `/services/${value}`, owner);
        values.lister.push({ value: listerId });
      }),
    ),
  );
  await Promise.all(
    values.service.map(async ({ value: serviceId, owner: lister }, index) => {
      const owner = customers[index % customers.length];
      if (!owner || !lister || owner === lister) return;
      const { insertedId: value = '' } = await send('POST', '/review', owner, {
        serviceId,
        review: 'Clean',
        rating: 4,
      });
      values.review.push({ value, owner, lister });
      const { insertedId: id = '' } = await send('POST', `/services/${serviceId}/requests`, owner, { text: 'Price?' });
      values.conversation.push({ value: id, owner });
      const { messages } = (await send('GET', `/requests/${id}`, lister)) as unknown as { messages: { _id: string }[] };
      values.message.push(...messages.map(({ _id }) => ({ value: _id, owner: lister })));
      if (index % 2 === 0) await send('PUT', `/review/${value}/reply`, lister, { text: 'Thank you' });
      if (index % 4 > 1) return;
      await send('POST', `/review/${value}/report`, lister, { reason: 'spam' });
      values.case.push({ value: `review-${value}` });
      if (index % 8 > 0) return;
      await send('POST', `/services/${serviceId}/report`, owner, { reason: 'fake' });
      values.case.push({ value: `service-${serviceId}` });
    }),
  );
  const expiredToken = await signUpExpired(installation);
  await hideSome();
  await Promise.all(customers.map((customer) => send('PUT', '/account/emails', customer, { isOn: true })));
  // Only emails contain these keys, so they are read from the database.
  for (const { unsubscribeKey: value } of await installation.db.collection('inboxes').find().toArray())
    values.unsubscribeKey.push({ value });
  return { customers, moderators, expiredToken, values, caseVersions: new Map(), pagesByOperation: new Map() };

  /** Hides the reported services and a fourth of the reported reviews, so that their authors can ask for another look. */
  async function hideSome(): Promise<void> {
    const [moderator] = moderators;
    if (!moderator) throw new Error('There is no moderator.');
    const cases = (await send('GET', '/moderation?limit=100', moderator)) as unknown as {
      _id: string;
      version: string;
    }[];
    const hidden = cases.filter(({ _id }, index) => _id.startsWith('service') || index % 4 === 0);
    await Promise.all(
      hidden.map(({ _id, version }) => {
        const part = _id.startsWith('service') ? 'service' : 'review';
        const id = _id.slice(part.length + 1);
        const hiddenValues = part === 'service' ? values.hiddenService : values.hiddenReview;
        hiddenValues.push(...values[part].filter(({ value }) => value === id));
        return send('POST', `/moderation/${_id}`, moderator, { action: 'hide', part, reason: 'An advert', version });
      }),
    );
  }

  async function send(
    method: string,
    path: string,
    { token }: SignedUp,
    body?: object,
  ): Promise<Record<string, string>> {
    const answer = await call(installation.apis[0]?.origin ?? '', path, { method, token, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path} responded with ${answer.status}: ${answer.text}`);
    return JSON.parse(answer.text) as Record<string, string>;
  }
}

async function signUpAll(installation: Installation, count: number): Promise<SignedUp[]> {
  const people: SignedUp[] = [];
  while (people.length < count) {
    const names = Array.from({ length: signUpsAtOnce }, (_, index) => `requests-${people.length + index}`);
    people.push(...(await Promise.all(names.map((name) => installation.signUp(name)))));
  }
  return people;
}

/** Returns an expired access token. To create it, sets the clock of the API back for a moment. */
async function signUpExpired(installation: Installation): Promise<string> {
  const setClock = async (wallMs: number) => {
    for (const api of installation.apis) await runningOf(api).sendRequest(`clock ${wallMs} ${statusRefreshMs}`);
  };
  await setClock(expiredClockMs);
  const { token } = await installation.signUp('requests-expired');
  await setClock(0);
  return token;
}

interface Received {
  operation: string;
  status: number;
  /** The path and the query of the request. */
  target: string;
  customer: SignedUp | undefined;
  headers: Headers;
  body: unknown;
}

/** Stores the ids, the picture URLs, the versions of cases and the next page from a response, so that later requests can use them. */
export function learnFrom({ operation, status, target, customer, headers, body }: Received, data: KnownData): void {
  const { values, pagesByOperation } = data;
  const [, query] = /<(\?[^>]*)>/.exec(headers.get('Link') ?? '') ?? [];
  if (query !== undefined) {
    const pages = pagesByOperation.get(operation) ?? [];
    pages.push({ target: target.replace(/\?.*/, '') + query, customer });
    if (pages.length > maxKnownPages) pages.shift();
    pagesByOperation.set(operation, pages);
  }
  if (operation.endsWith('/moderation') && status === 200)
    for (const { _id, version } of body as { _id: string; version: string }[]) data.caseVersions.set(_id, version);
  if (operation.endsWith('/report') && status < 300) {
    const { target: reported } = body as { target: { kind: string; id: string } };
    values.case.push({ value: `${reported.kind}-${reported.id}` });
  }
  if (status !== 201) return;
  const { insertedId = '', url = '', id = '' } = body as { insertedId?: string; url?: string; id?: string };
  if (operation === 'POST /services') values.service.push({ value: insertedId, owner: customer });
  if (operation === 'POST /review') values.review.push({ value: insertedId, owner: customer });
  if (operation === 'POST /services/{id}/requests') values.conversation.push({ value: insertedId, owner: customer });
  if (operation === 'POST /pictures/p') values.privatePicture.push({ value: id, owner: customer });
  if (operation !== 'POST /pictures') return;
  values.pictureUrl.push({ value: url, owner: customer });
  values.picture.push({ value: url.split('/').at(-1) ?? '' });
}
