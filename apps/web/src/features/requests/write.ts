import type { ConversationDetails, InsertResult, MessageInput } from '@rtr/shared';
import { requireAcknowledged } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { keyOf, removeInactive } from '../../lib/query-client.ts';
import type { Versioned } from '../../lib/version.ts';

type Connection = Pick<App, 'http' | 'queries'>;

/** Begins a conversation with the lister of a service. */
export async function askLister(
  app: Connection,
  serviceId: string,
  message: MessageInput,
  idempotencyKey: string,
): Promise<InsertResult> {
  const headers = { 'idempotency-key': idempotencyKey };
  try {
    const { data } = await app.http('POST /services/:id/requests', {
      as: 'customer',
      params: { id: serviceId },
      headers,
      body: message,
    });
    return requireAcknowledged(data);
  } finally {
    // After a failure too, because the customer may have asked in another tab.
    refreshRequests(app);
  }
}

export async function sendMessage(
  app: Connection,
  id: string,
  message: MessageInput,
  idempotencyKey: string,
): Promise<InsertResult> {
  const headers = { 'idempotency-key': idempotencyKey };
  try {
    const { data } = await app.http('POST /requests/:id/messages', {
      as: 'customer',
      params: { id },
      headers,
      body: message,
    });
    return requireAcknowledged(data);
  } finally {
    // After a failure too, because the other participant may have closed the conversation.
    await refreshRequest(app, id);
    refreshRequests(app);
  }
}

export async function closeRequest(app: Connection, id: string): Promise<void> {
  await app.http('POST /requests/:id/close', { as: 'customer', params: { id } });
  await refreshRequest(app, id);
  refreshRequests(app);
}

/** Marks the messages of a conversation as read. `until` is the time of the newest message that the page shows. */
export async function markAsRead(app: Connection, id: string, until: string): Promise<void> {
  await app.http('POST /requests/:id/read', { as: 'customer', params: { id }, body: { until } });
  app.queries.setQueryData<Versioned<ConversationDetails>>(
    keyOf('GET /requests/:id', { id }),
    // Without a version, the next request reads the conversation again.
    (known) => known && { row: { ...known.row, isUnread: false }, version: '' },
  );
  refreshRequests(app);
}

const refreshRequest = ({ queries }: Connection, id: string) =>
  queries.invalidateQueries({ queryKey: keyOf('GET /requests/:id', { id }) });

/** Refreshes the lists of conversations, and the news, which contain unread conversations. */
function refreshRequests({ queries }: Connection): void {
  for (const key of ['GET /requests', 'GET /news', 'GET /news/count']) {
    removeInactive(queries, [key]);
    void queries.invalidateQueries({ queryKey: [key] });
  }
}
