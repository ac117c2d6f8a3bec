import { type ContractEntry, contract } from '@rtr/shared';

const entries: Readonly<Record<string, ContractEntry | undefined>> = contract;
const writesWithoutRows = new Set(['POST /jwt', 'POST /vitals']);

/** True if the route, such as 'POST /review', may change data that clients can read. */
function changesRows(route: string): boolean {
  return !route.startsWith('GET ') && !route.startsWith('HEAD ') && !writesWithoutRows.has(route);
}

/** The writes of data that is not part of any public read: uploads, reports, conversations, news and emails. */
const privateWrites = /^POST \/(pictures|requests|news|unsubscribe)\b|\/(report|requests|emails)$/;

/** True if the route may change the response of a public read. */
export function changesPublicReads(route: string): boolean {
  return changesRows(route) && !privateWrites.test(route);
}

/**
 * Returns a text for people: what to do after a request failed because the database did not respond. `startedRoute` is
 * undefined if no handler had started. Then nothing was changed.
 */
export function retryAdvice(startedRoute: string | undefined): string {
  if (startedRoute === undefined || !changesRows(startedRoute)) return 'Try again in a few seconds.';
  const hasIdempotencyKey =
    entries[startedRoute]?.headers !== undefined && entries[startedRoute].responses[201] !== undefined;
  const repeat = hasIdempotencyKey ? ', or repeat it with the same Idempotency-Key' : '';
  return `Your change may or may not have been saved: check before you send it again${repeat}.`;
}
