import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Call, call, isUnavailable, UnansweredError } from './client.ts';
import type { Random } from './figures.ts';
import type { Installation, SignedUp } from './installation.ts';

/** A review that the database must contain. */
interface ExpectedReview {
  id: string;
  serviceId: string;
  text: string;
  stars: number;
  uid: string;
  isDeleted: boolean;
}

const writerCount = 8;
const pauseMs = 20;
const retryPauseMs = 50;
/** The API may write its log a little later than its response. */
const logDelayMs = 500;

export interface Writers {
  reviews: ReadonlyMap<string, ExpectedReview>;
  /** The number of acknowledged writes, and the number of failed attempts before them. */
  counts: { acknowledged: number; failedAttempts: number };
  /** Resolves when each writer has completed another write. */
  eachHasWritten(): Promise<void>;
  /** Stops after the current writes. Rejects if a writer got a response that is never allowed. */
  stop(): Promise<void>;
}

interface WriterOptions {
  /**
   * Each writer alternates between this number of customers, so that no customer reaches the limit of writes per minute.
   */
  customersPerWriter?: number;
}

export async function createServices(
  { apis: [api] }: Installation,
  lister: SignedUp,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { title: `Hood ${index}`, price: '$90', description: 'We fit hoods.' };
    const answer = await call(api?.origin ?? '', '/services', { method: 'POST', token: lister.token, body });
    if (answer.status !== 201) throw new Error(`POST /services responded with ${answer.status}: ${answer.text}`);
    ids.push((JSON.parse(answer.text) as { insertedId: string }).insertedId);
  }
  return ids;
}

/**
 * Starts writers that add, edit and delete reviews. A writer repeats each write until it is acknowledged, at any of the API
 * instances. A repeated new review has the same Idempotency-Key. `reviews` contains the expected reviews. If the caller
 * changes `serviceIds`, the writers continue with the reviews of the new services.
 */
export async function startWriters(
  installation: Installation,
  serviceIds: readonly string[],
  random: Random,
  { customersPerWriter = 12 }: WriterOptions = {},
): Promise<Writers> {
  const prefix = randomUUID().slice(0, 8);
  const customers: SignedUp[] = [];
  for (let index = 0; index < customersPerWriter; index += 1) {
    const names = Array.from({ length: writerCount }, (_, writer) => `writer-${prefix}-${writer}-${index}`);
    customers.push(...(await Promise.all(names.map((name) => installation.signUp(name)))));
  }
  const reviews = new Map<string, ExpectedReview>();
  const counts = { acknowledged: 0, failedAttempts: 0 };
  const writesOf = Array.from({ length: writerCount }, () => 0);
  const stopping = new AbortController();

  const writers = Promise.all(writesOf.map((_, writer) => write(writer)));
  // Prevents an unhandled rejection. `stop` also waits for this promise, so it reports the error.
  writers.catch(() => undefined);
  return {
    reviews,
    counts,
    async eachHasWritten() {
      const before = [...writesOf];
      while (before.some((count, writer) => writesOf[writer] === count))
        await Promise.race([sleep(20), writers.then(() => Promise.reject(new Error('The writers have stopped.')))]);
    },
    async stop() {
      stopping.abort();
      await writers;
    },
  };

  async function write(writer: number): Promise<void> {
    const own = customers.slice(writer * customersPerWriter, (writer + 1) * customersPerWriter);
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const index = turn % customersPerWriter;
      const customer = own[index] as SignedUp;
      const written = [...reviews.values()].filter(
        ({ uid, serviceId, isDeleted }) => uid === customer.uid && serviceIds.includes(serviceId) && !isDeleted,
      );
      const choice = random.fraction();
      if (written.length === 0 || choice < 0.6) await add(customer, index);
      else if (choice < 0.8) await edit(customer, random.pick(written));
      else await remove(customer, random.pick(written));
      writesOf[writer] = (writesOf[writer] ?? 0) + 1;
      counts.acknowledged += 1;
      await sleep(pauseMs);
    }
  }

  async function add(customer: SignedUp, index: number): Promise<void> {
    const [serviceId, review] = [random.pick(serviceIds), randomUUID()];
    // The stars of a service depend only on the newest review of each customer. A customer always gives the same number
    // of stars, so the test need not know which review is the newest.
    const stars = (index % 5) + 1;
    const body = { serviceId, review, rating: stars };
    const headers = { 'Idempotency-Key': review };
    const { text } = await repeat('/review', { method: 'POST', token: customer.token, body, headers }, [201]);
    const { insertedId: id } = JSON.parse(text) as { insertedId: string };
    reviews.set(id, { id, serviceId, text: review, stars, uid: customer.uid, isDeleted: false });
  }

  async function edit(customer: SignedUp, review: ExpectedReview): Promise<void> {
    const text = randomUUID();
    const body = { review: text };
    await repeat(`/review/${review.id}`, { method: 'PATCH', token: customer.token, body }, [200]);
    review.text = text;
  }

  async function remove({ token }: SignedUp, review: ExpectedReview): Promise<void> {
    // An attempt without a response may have deleted the review. The next attempt then finds no review.
    await repeat(`/review/${review.id}`, { method: 'DELETE', token }, [200, 404]);
    review.isDeleted = true;
  }

  async function repeat(path: string, options: Call, statuses: readonly number[]): Promise<Answer> {
    for (;;) {
      try {
        const answer = await call(random.pick(installation.apis).origin, path, options);
        if (statuses.includes(answer.status)) return answer;
        if (!isUnavailable(answer) && answer.status !== 429) {
          await sleep(logDelayMs);
          const lines = [`${options.method} ${path} responded with ${answer.status}: ${answer.text}`];
          throw new Error([...lines, ...findErrors(installation)].join('\n'));
        }
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
      }
      counts.failedAttempts += 1;
      await sleep(retryPauseMs);
    }
  }
}

/** Returns the last log lines of the API about unexpected errors. */
function findErrors({ apis }: Installation): string[] {
  return apis.flatMap(({ lines }) => lines.filter((line) => line.includes('"level":50'))).slice(-3);
}
