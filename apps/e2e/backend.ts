import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { emptyService, type RequestInput, type ResponseBody, type ServiceEdit, type ServiceInput } from '@rtr/shared';
import type { TestRun } from './run.ts';

export interface Customer {
  uid: string;
  email: string;
  password: string;
  name: string;
  photo: string;
  token: string;
  /** The tokens of a session at Firebase. */
  session: { idToken: string; refreshToken: string };
}

type Call = RequestInit & { json?: unknown; bearer?: string };

async function call(url: string, init: Call = {}): Promise<Response> {
  const { json, bearer, ...rest } = init;
  const headers = new Headers(rest.headers);
  // Uses a new connection for each request. On a reused connection, a request fails if the server is closing the connection.
  headers.set('Connection', 'close');
  if (json !== undefined) headers.set('Content-Type', 'application/json');
  if (bearer !== undefined) headers.set('Authorization', `Bearer ${bearer}`);
  return fetch(url, { ...rest, headers, ...(json !== undefined && { body: JSON.stringify(json) }) });
}

async function callForJson<T>(url: string, init: Call = {}): Promise<T> {
  const response = await call(url, init);
  if (!response.ok)
    throw new Error(`${init.method ?? 'GET'} ${url}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  return response.json();
}

export type Backend = ReturnType<typeof createBackend>;

/** Creates helpers that call the API and the Auth emulator without a browser. */
export function createBackend({ api, authEmulator, web, jwtSecrets }: TestRun) {
  const identity = <T>(method: string, json: object, bearer?: string) =>
    callForJson<T>(`${authEmulator}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=demo`, {
      method: 'POST',
      json,
      ...(bearer && { bearer }),
    });

  return {
    call: (path: string, init?: Call) => call(`${api}${path}`, init),

    /** Signs up a new customer for one test. */
    async customer(
      name = 'Vera Vent',
      photo = `${web}/pictures/avatar-1.svg`,
      claims: { moderator?: true } = {},
    ): Promise<Customer> {
      const email = `${randomUUID()}@kitchen.test`;
      const password = randomUUID();
      const created = await identity<{ localId: string; idToken: string }>('signUp', {
        email,
        password,
        returnSecureToken: true,
      });
      await identity('update', { idToken: created.idToken, displayName: name, photoUrl: photo });
      await identity('update', { localId: created.localId, customAttributes: JSON.stringify(claims) }, 'owner');
      const session = await identity<Customer['session']>('signInWithPassword', {
        email,
        password,
        returnSecureToken: true,
      });
      const { token } = await callForJson<ResponseBody<'POST /jwt'>>(`${api}/jwt`, {
        method: 'POST',
        json: { email },
        bearer: session.idToken,
      });
      return { uid: created.localId, email, password, name, photo, token, session };
    },

    /** Verifies the address of a customer, as the link in Firebase's email does. */
    async verify({ uid }: Customer): Promise<void> {
      await identity('update', { localId: uid, emailVerified: true }, 'owner');
    },

    /** Disables the account of a customer, as an operator of the product can do. */
    async disable({ uid }: Customer): Promise<void> {
      await identity('update', { localId: uid, disableUser: true }, 'owner');
    },

    /** Revokes all sessions of a customer, as a password change does. Resolves when the customer can log in again. */
    async endSessions({ uid }: Customer): Promise<void> {
      const validSince = Math.floor(Date.now() / 1000) + 1;
      await identity('update', { localId: uid, validSince: String(validSince) }, 'owner');
      // Waits for the next second. Firebase compares whole seconds, so a login in the current second would be revoked too.
      await setTimeout(validSince * 1000 - Date.now());
    },

    /** Adds a service with a unique title. Returns its id and fields. */
    async service(lister: Customer, fields: Partial<ServiceInput> = {}): Promise<ServiceInput & { id: string }> {
      const json: ServiceInput = {
        ...emptyService,
        title: `Hood ${randomUUID().slice(0, 8)}`,
        ratting: '4.5',
        img: `${web}/pictures/placeholder.svg`,
        price: 'from $90',
        description: 'We fit, balance and seal a hood over any range.',
        ...fields,
      };
      const { insertedId } = await callForJson<ResponseBody<'POST /services'>>(`${api}/services`, {
        method: 'POST',
        json,
        bearer: lister.token,
      });
      return { id: insertedId, ...json };
    },

    async editService(lister: Customer, id: string, json: ServiceEdit): Promise<void> {
      await callForJson(`${api}/services/${id}`, { method: 'PATCH', json, bearer: lister.token });
    },

    /** Adds a review. `shown` is the time and the date that the review shows. */
    async review(
      author: Customer,
      serviceId: string,
      review: string,
      rating?: number,
      shown = { time: '10:15:00', date: '05/11/2026' },
    ): Promise<string> {
      const { insertedId } = await callForJson<ResponseBody<'POST /review'>>(`${api}/review`, {
        method: 'POST',
        json: { serviceId, review, ...shown, ...(rating && { rating }) },
        bearer: author.token,
      });
      return insertedId;
    },

    async report(customer: Customer, reviewId: string, json: RequestInput<'POST /review/:id/report', 'body'>) {
      await callForJson(`${api}/review/${reviewId}/report`, { method: 'POST', json, bearer: customer.token });
    },

    /** Decides the moderation case of a reported review. */
    async moderate(
      moderator: Customer,
      reviewId: string,
      action: Omit<RequestInput<'POST /moderation/:id', 'body'>, 'version'>,
    ) {
      const id = `review-${reviewId}`;
      const { token: bearer } = moderator;
      const lists = await Promise.all(
        ['open', 'closed'].map((status) =>
          callForJson<ResponseBody<'GET /moderation'>>(`${api}/moderation?status=${status}&limit=100`, { bearer }),
        ),
      );
      const version = lists.flat().find(({ _id }) => _id === id)?.version;
      await callForJson(`${api}/moderation/${id}`, { method: 'POST', json: { ...action, version }, bearer });
    },

    async reply(lister: Customer, reviewId: string, text: string): Promise<void> {
      await callForJson(`${api}/review/${reviewId}/reply`, { method: 'PUT', json: { text }, bearer: lister.token });
    },

    /** Begins a conversation with the lister of a service. Returns its id. */
    async ask(customer: Customer, serviceId: string, text: string): Promise<string> {
      const { insertedId } = await callForJson<ResponseBody<'POST /services/:id/requests'>>(
        `${api}/services/${serviceId}/requests`,
        { method: 'POST', json: { text }, bearer: customer.token },
      );
      return insertedId;
    },

    async answer(sender: Customer, requestId: string, text: string): Promise<void> {
      await callForJson(`${api}/requests/${requestId}/messages`, {
        method: 'POST',
        json: { text },
        bearer: sender.token,
      });
    },

    reviewsOf: (serviceId: string) =>
      callForJson<ResponseBody<'GET /allreview'>>(`${api}/allreview?serviceId=${serviceId}`),

    /** Returns the links with which a customer can verify their address. The emulator prints them. */
    async verificationLinks({ email }: Customer): Promise<string[]> {
      const codes = `${authEmulator}/emulator/v1/projects/demo-rtr-cloud-kitchen/oobCodes`;
      const { oobCodes } = await callForJson<{ oobCodes: { email: string; oobLink: string }[] }>(codes);
      return oobCodes.filter((code) => code.email === email).map(({ oobLink }) => oobLink);
    },

    /** Creates an access token with a valid signature that expired an hour ago. */
    expiredToken({ token }: Customer): string {
      const [header = '', payload = ''] = token.split('.');
      const { kid }: { kid: string } = JSON.parse(Buffer.from(header, 'base64url').toString());
      const secret = jwtSecrets.split(',').find((namedSecret) => namedSecret.startsWith(`${kid}:`));
      if (!secret) throw new Error(`The stack has no secret named ${kid}.`);
      const claims: { iat: number; exp: number } = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const expired = { ...claims, iat: claims.iat - 7200, exp: claims.exp - 7200 };
      const signed = `${header}.${Buffer.from(JSON.stringify(expired)).toString('base64url')}`;
      const key = Buffer.from(secret.slice(kid.length + 1), 'base64');
      return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    },
  };
}
