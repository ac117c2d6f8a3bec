import type { ReceivedEmail } from '@rtr/dev-stack/mail-server';
import { MongoClient, ObjectId } from 'mongodb';
import { readRun } from './run.ts';
import { startTestStack, type TestStack } from './stack.ts';
import { test as base } from './test.ts';

/** What only the tests in the project "own-stack" can do. */
interface Operator {
  /** Stops a process of the stack, runs the action, and starts the process again. */
  whileStopped(name: 'api' | 'mongodb', action: () => Promise<void>): Promise<void>;
  /**
   * Makes the news about the reviews of a service so old that emails about them are due. The API sends such emails when it
   * starts.
   */
  ageNews(serviceId: string): Promise<void>;
  /** Returns the emails that the API has sent to an address. */
  emailsTo(address: string): ReceivedEmail[];
}

/** For tests that stop processes. They use a stack of their own, so that the tests of the shared stack can run meanwhile. */
export const test = base.extend<object, { ownStack: TestStack; operator: Operator }>({
  ownStack: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern
    async ({}, provide) => {
      const own = await startTestStack(readRun().launch);
      await provide(own);
      await own.stack.stop();
    },
    { scope: 'worker' },
  ],

  run: [({ ownStack }, provide) => provide(ownStack.run), { scope: 'worker' }],

  operator: [({ ownStack }, provide) => provide(createOperator(ownStack)), { scope: 'worker' }],
});

function createOperator({ stack, emails }: TestStack): Operator {
  return {
    async whileStopped(name, action) {
      const child = stack.processes[name];
      await child?.stop();
      try {
        await action();
      } finally {
        await child?.start();
      }
    },

    async ageNews(serviceId) {
      const client = new MongoClient(stack.mongodbUri);
      try {
        const db = client.db('rtr_cloud_kitchen_demo');
        const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
        await db
          .collection('reviews')
          .updateMany({ serviceId: new ObjectId(serviceId) }, { $set: { createdAt: minutesAgo(20) } });
        await db
          .collection('inboxes')
          .updateMany(
            { emails: { $exists: true } },
            { $set: { 'emails.sentUntil': minutesAgo(30), 'emails.nextCheckAt': minutesAgo(1) } },
          );
      } finally {
        await client.close();
      }
    },

    emailsTo: (address) => emails.filter(({ to }) => to === address),
  };
}
