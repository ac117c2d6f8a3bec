import { randomBytes } from 'node:crypto';
import type { ModerationCase, OwnReport } from '@rtr/shared';
import { beforeAll } from 'vitest';
import { bearer } from './bearer.ts';
import { createTestApp, type TestCustomer } from './test-app.ts';

export const JWT_SECRETS = `a:${randomBytes(32).toString('base64')}`;

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
    await makeModerator(people.moderator);
    passMinute();
  });

  async function makeModerator({ uid }: TestCustomer): Promise<void> {
    await callFirebaseAsAdmin('update', { localId: uid, customAttributes: '{"moderator":true}' });
  }

  /** The API caches the status of an account for a minute, so a new role takes effect a minute later. */
  function passMinute(): void {
    clock += 60_000;
  }

  async function readCase(caseId: string): Promise<ModerationCase | undefined> {
    const lists = await Promise.all(
      ['open', 'closed'].map((status) =>
        api.get(`/moderation?status=${status}&limit=100`).set(bearer(people.moderator)).expect(200),
      ),
    );
    return (lists.flatMap(({ body }) => body) as ModerationCase[]).find(({ _id }) => _id === caseId);
  }

  return {
    ...app,
    people,
    makeModerator,
    passMinute,
    async insert(path: string, customer: TestCustomer, body: object): Promise<string> {
      return (await api.post(path).set(bearer(customer)).send(body).expect(201)).body.insertedId;
    },
    /** Sends a report as the customer `people.reader`. */
    report: (path: string, about?: string) =>
      api
        .post(`${path}/report`)
        .set(bearer(people.reader))
        .send({ reason: 'spam', ...(about && { about }) }),
    /** Sends an action as a moderator, with the current version of the case unless `action` contains another one. */
    act: (caseId: string, action: object, by = people.moderator) => ({
      async expect(status: number) {
        const version = (await readCase(caseId))?.version ?? '';
        const body = { reason: 'Spam', version, ...action };
        return api.post(`/moderation/${caseId}`).set(bearer(by)).send(body).expect(status);
      },
    }),
    readCase,
    readCases: async (status: string): Promise<ModerationCase[]> =>
      (await api.get(`/moderation?status=${status}`).set(bearer(people.moderator)).expect(200)).body,
    readReports: async (): Promise<OwnReport[]> =>
      (await api.get('/account/reports').set(bearer(people.reader)).expect(200)).body,
  };
}
