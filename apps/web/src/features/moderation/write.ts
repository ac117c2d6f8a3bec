import type { ModerationCase, ModerationInput, ReportedPart, ReportReason, ReviewPart, ServicePart } from '@rtr/shared';
import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { ApiError, UnexpectedResponse } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { type Failure, failureOf } from '../../lib/failure.ts';
import { type AccessTokenSource, createHttp } from '../../lib/http.ts';
import type { Page } from '../../lib/page.ts';
import { removeInactive } from '../../lib/query-client.ts';

export interface ReportTarget {
  kind: 'review' | 'service' | 'message';
  id: string;
  /** The name of the target, such as 'the review by Amira, 11/3/2026'. */
  name: string;
  /** The parts of the target that the customer can report. */
  parts: readonly ReportedPart[];
}

export type AppealTarget =
  | { kind: 'review'; id: string; about: ReviewPart }
  | { kind: 'service'; id: string; about: ServicePart };

interface Report {
  about: string;
  reason: string;
  text: string;
}

interface Connection {
  /** The source of the access token. Null on the server. */
  tokens: AccessTokenSource | null;
  queries: QueryClient;
}

/** Sends a report. Returns true if it replaces the customer's earlier report about the same content. */
export async function sendReport(
  { tokens, queries }: Connection,
  { kind, id }: ReportTarget,
  { about, reason, text }: Report,
): Promise<boolean> {
  const http = createHttp({ base: '/api', ...(tokens && { tokens }) });
  const call = { as: 'customer', params: { id } } as const;
  const body = { text, reason: reason as ReportReason };
  const { data, status } = await {
    review: () => http('POST /review/:id/report', { ...call, body: { ...body, about: about as ReviewPart } }),
    service: () => http('POST /services/:id/report', { ...call, body: { ...body, about: about as ServicePart } }),
    message: () => http('POST /messages/:id/report', { ...call, body }),
  }[kind]();
  void queries.invalidateQueries({ queryKey: ['GET /account/reports'] });
  if (data?.status !== 'open') throw new UnexpectedResponse();
  return status === 200;
}

/** Asks moderators for another look at hidden or removed content. */
export async function sendAppeal({ tokens, queries }: Connection, target: AppealTarget, text: string): Promise<void> {
  const http = createHttp({ base: '/api', ...(tokens && { tokens }) });
  const call = { as: 'customer', params: { id: target.id } } as const;
  await (target.kind === 'review'
    ? http('POST /review/:id/appeal', { ...call, body: { text, about: target.about } })
    : http('POST /services/:id/appeal', { ...call, body: { text, about: target.about } }));
  removeInactive(queries);
}

/**
 * The result of a moderator's action. `isOutdated` means that the case or its content has changed since the moderator read
 * it. `current` is the case as it is now.
 */
export type ActionResult = 'done' | { isOutdated: true; current: ModerationCase | undefined } | Failure;

/** Hides or restores reported content, or dismisses the reports about it. Then updates the case in the cached lists. */
export async function act(
  { http, queries }: Pick<App, 'http' | 'queries'>,
  { _id: id, version }: Pick<ModerationCase, '_id' | 'version'>,
  input: Omit<ModerationInput, 'version'>,
): Promise<ActionResult> {
  try {
    const { data } = await http('POST /moderation/:id', {
      as: 'customer',
      params: { id },
      body: { ...input, version },
    });
    if (data?._id !== id) throw new UnexpectedResponse();
    await replaceCase(queries, data);
    return 'done';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) return failureOf(error);
    const current = error.problem.current as ModerationCase | undefined;
    await replaceCase(queries, current);
    return { isOutdated: true, current };
  }
}

/**
 * Shows the new state of a case in the list on screen. The case stays in this list until the list is refreshed, even if the
 * list is filtered by the earlier status of the case.
 */
async function replaceCase(queries: QueryClient, changed: ModerationCase | undefined): Promise<void> {
  const lists = { queryKey: ['GET /moderation'] };
  if (!changed) return void queries.invalidateQueries(lists);
  // Cancels running requests, because their responses may contain the case as it was before this change.
  await queries.cancelQueries(lists);
  // Removes all cached data that is not on screen, because some of it contains the case or the content as it was before
  // this change.
  removeInactive(queries);
  queries.setQueriesData<InfiniteData<Page<ModerationCase>>>(
    lists,
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          rows: page.rows.map((row) => (row._id === changed._id ? changed : row)),
        })),
      },
  );
}
