import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../figures.ts';
import type { Installation } from '../installation.ts';
import { replaceAccount, signUp } from './account-actions.ts';
import { createBrowseActions } from './browse-actions.ts';
import { type Action, type Context, createChecks } from './checks.ts';
import { createLists } from './lists.ts';
import { type Customer, createModel } from './model.ts';
import { createReactionActions } from './reaction-actions.ts';
import { createRequests } from './requests.ts';
import { createReviewActions } from './review-actions.ts';
import { createServiceActions } from './service-actions.ts';

interface TrafficOptions {
  customerCount: number;
  /** The longest pause of a customer between two actions. */
  maxPauseMs: number;
}

export interface Traffic extends Omit<Context, 'random'> {
  /** Stops after the current actions. Rejects if a request got no response. */
  stop(): Promise<void>;
}

/** The share of actions that close an account. */
const closingShare = 0.004;

/** Signs up customers, and starts their actions. The actions of one customer follow one after the other. */
export async function startTraffic(
  installation: Installation,
  random: Random,
  { customerCount, maxPauseMs }: TrafficOptions,
): Promise<Traffic> {
  const model = createModel();
  const requests = createRequests(installation, model, random.fork());
  const shared = { model, requests, lists: createLists(model), checks: createChecks(model, requests) };
  const stopping = new AbortController();
  const indexes = Array.from({ length: customerCount }, (_, index) => index);
  const customers = await Promise.all(indexes.map((index) => signUp(installation, shared, index)));
  const contexts = customers.map((customer) => ({ customer, context: { ...shared, random: random.fork() } }));
  await Promise.all(contexts.map(({ customer, context }) => createServiceActions(context).add(customer)));
  await Promise.all(contexts.map(({ customer, context }) => addFirstContent(customer, context)));
  const all = Promise.all(contexts.map(({ customer, context }) => runCustomer(customer, context)));
  // Prevents an unhandled rejection. `stop` also waits for this promise, so it reports the error.
  all.catch(() => undefined);
  return {
    ...shared,
    async stop() {
      stopping.abort();
      await all;
    },
  };

  async function runCustomer(first: Customer, context: Context): Promise<void> {
    const pickAction = createPicker(context);
    let customer = first;
    while (!stopping.signal.aborted) {
      if (context.random.fraction() < closingShare) customer = await replaceAccount(installation, context, customer);
      else if ((await pickAction()(customer)) === false) continue;
      model.counts.actions += 1;
      await sleep(context.random.integer(0, maxPauseMs), undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }
}

/**
 * Lets a new customer write two reviews, and react to the reviews of others. So the account has content if it is closed
 * soon.
 */
async function addFirstContent(customer: Customer, context: Context): Promise<void> {
  const { add } = createReviewActions(context);
  const { vote, reply, report } = createReactionActions(context);
  for (const action of [add, add, vote, vote, reply, report]) await action(customer);
}

/** Returns a function that picks a random action. Actions with a larger weight are picked more often. */
function createPicker(context: Context): () => Action {
  const services = createServiceActions(context);
  const reviews = createReviewActions(context);
  const reactions = createReactionActions(context);
  const browse = createBrowseActions(context);
  const weights: [weight: number, action: Action][] = [
    [14, browse.services],
    [10, browse.search],
    [3, browse.suggestions],
    [10, browse.service],
    [10, browse.reviews],
    [5, browse.review],
    [6, browse.page],
    [8, browse.ownLists],
    [2, services.add],
    [4, services.edit],
    [1, services.editWithVersion],
    [1, services.editOldVersion],
    [2, services.withdraw],
    [4, services.restore],
    [1, services.editOther],
    [12, reviews.add],
    [6, reviews.edit],
    [4, reviews.delete],
    [5, reviews.restore],
    [1, reviews.changeOther],
    [6, reactions.vote],
    [2, reactions.removeVote],
    [4, reactions.reply],
    [2, reactions.deleteReply],
    [1, reactions.report],
  ];
  // Each action is in this list as often as its weight says.
  const actions = weights.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));
  return () => context.random.pick(actions);
}
