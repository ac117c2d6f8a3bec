import type { Review, UsefulVote } from '@rtr/shared';
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import type { ActionFunctionArgs } from 'react-router-dom';
import { UnexpectedResponse } from '../../lib/api-error.ts';
import { type App, appIn } from '../../lib/app.ts';
import { canRetry, failureOf } from '../../lib/failure.ts';
import type { Page } from '../../lib/page.ts';
import { isPrivate } from '../../lib/query-client.ts';
import { failureText } from '../../ui/failure-alert.tsx';
import { toast } from '../../ui/toasts.tsx';
import { deleteOrRestoreReview } from './deletion.tsx';

const text = {
  failed: 'Your vote was not saved. Try again.',
  missing: 'Your vote was not saved, because this review is no longer listed.',
};

/** The result of a vote. `error` is a text for the customer if the vote was not saved. */
export interface VoteOutcome {
  error?: string;
}

/** The action of a service's page. It votes for a review, or deletes or restores a review or a reply. */
export async function reviewsSectionAction(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData();
  return form.get('intent') === 'vote' ? vote(appIn(args.context), form) : deleteOrRestoreReview(args);
}

/** Marks a review as useful, or removes the mark. */
async function vote(app: App, form: FormData): Promise<VoteOutcome> {
  const id = String(form.get('id'));
  const call = form.get('useful') === 'true' ? 'PUT /review/:id/useful' : 'DELETE /review/:id/useful';
  try {
    const { data } = await app.http(call, { as: 'customer', params: { id } });
    if (typeof (data as Partial<UsefulVote> | undefined)?.usefulCount !== 'number') throw new UnexpectedResponse();
    updateCache(app, id, data);
    return {};
  } catch (error) {
    const failure = failureOf(error);
    // If the session has ended, the notice of the layout says so.
    if (failure.reason === 'session') return {};
    const explanation = failure.reason === 'missing' ? text.missing : failure.detail;
    const message = failureText(failure, canRetry(failure) ? text.failed : explanation);
    toast.error(message, { id: `vote ${id}` });
    return { error: message };
  }
}

/**
 * Updates the review in all cached data that was loaded for this customer. The lists are not sorted again, so that the
 * review does not move while the customer reads it.
 */
function updateCache({ queries }: App, id: string, saved: UsefulVote): void {
  const update = (review: Review) => (review._id === id ? { ...review, ...saved } : review);
  const ofThisCustomer = (route: string) => ({
    predicate: ({ queryKey }: { queryKey: QueryKey }) => queryKey[0] === route && isPrivate(queryKey),
  });
  queries.setQueriesData<InfiniteData<Page<Review>>>(
    ofThisCustomer('GET /allreview'),
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, rows: page.rows.map(update) })) },
  );
  queries.setQueriesData<Review>(ofThisCustomer('GET /review/:id'), (review) => review && update(review));
  // A request that was sent before the vote may return the review without the vote. So lists that are being fetched are
  // fetched again.
  void queries.invalidateQueries({ ...ofThisCustomer('GET /allreview'), fetchStatus: 'fetching' });
}
