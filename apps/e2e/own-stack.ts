import type { ReceivedEmail } from '@rtr/dev-stack/mail-server';
import { MongoClient, ObjectId } from 'mongodb';
import { readRun } from './run.ts';
import { startTestStack, type TestStack } from './stack.ts';
import { test as base } from './test.ts';

/** Actions that only the tests in the project "own-stack" can perform on their stack. */
interface StackControl {
  /** Stops a process of the stack, runs the action, and starts the process again. */
  whileStopped(name: 'api' | 'mongodb', action: () => Promise<void>): Promise<void>;
  /**
   * Makes emails about the reviews of a service due: changes the time of the reviews to 20 minutes ago, and for all customers
   * who get emails, the next check for news to the past. The API checks when it starts.
   */
  makeNewsDue(serviceId: string): Promise<void>;
  /** Returns the emails that the API has sent to an address. */
  emailsTo(address: string): ReceivedEmail[];
}

/** For tests that stop processes. They have a stack of their own, so other tests can run at the same time. */
export const test = base.extend<object, { ownStack: TestStack; stackControl: StackControl }>({
  ownStack: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern
    async ({}, provide) => {
      const own = await startTestStack(readRun().launch);
      await provide(own);
      await own.stack.stop();
    },
    { scope: 'worker' },
  ],

  // Overrides the addresses of the shared stack, so that `page`, `request` and `backend` use this stack.
  run: [({ ownStack }, provide) => provide(ownStack.run), { scope: 'worker' }],

  stackControl: [({ ownStack }, provide) => provide(createStackControl(ownStack)), { scope: 'worker' }],
});

function createStackControl({ stack, emails }: TestStack): StackControl {
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

    async makeNewsDue(serviceId) {
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
