import { randomBytes } from 'node:crypto';
import type { ModerationCase, OwnReport } from '@rtr/shared';
import { beforeAll } from 'vitest';
import { bearer } from './bearer.ts';
import { createTestApp, type TestCustomer } from './test-app.ts';

const JWT_SECRETS = `a:${randomBytes(32).toString('base64')}`;

/** Starts the API, with a lister, an author, a reader who reports content, and a moderator. */
export async function createModerationTest() {
  let clock = Date.now();
  const app = await createTestApp({ env: { JWT_SECRETS }, now: () => clock });
  const { api, signUp, callFirebaseAsAdmin } = app;
  const people = {} as Record<'lister' | 'author' | 'reader' | 'moderator', TestCustomer>;

  beforeAll(async () => {
    people.lister = await signUp({ name: 'Mina Duct' });
    people.author = await signUp({ name: 'Omar' });
    people.reader = await signUp({ name: 'Rosa' });
    people.moderator = await signUp({ name: 'Mo' });
    await callFirebaseAsAdmin('update', {
      localId: people.moderator.uid,
      customAttributes: '{"moderator":true}',
    });
    // The API caches the status of an account for a minute, so the new role takes effect a minute later.
    clock += 60_000;
  });

  return {
    ...app,
    people,
    async insert(path: string, customer: TestCustomer, body: object): Promise<string> {
      return (await api.post(path).set(bearer(customer)).send(body).expect(201)).body.insertedId;
    },
    /** Sends a report as the customer `people.reader`. */
    report: (path: string, about?: string) =>
      api
        .post(`${path}/report`)
        .set(bearer(people.reader))
        .send({ reason: 'spam', ...(about && { about }) }),
    /** Sends an action as the customer `people.moderator`. */
    act: (caseId: string, action: object) =>
      api
        .post(`/moderation/${caseId}`)
        .set(bearer(people.moderator))
        .send({ reason: 'Spam', ...action }),
    readCases: async (status: string): Promise<ModerationCase[]> =>
      (await api.get(`/moderation?status=${status}`).set(bearer(people.moderator)).expect(200)).body,
    readReports: async (): Promise<OwnReport[]> =>
      (await api.get('/account/reports').set(bearer(people.reader)).expect(200)).body,
  };
}
