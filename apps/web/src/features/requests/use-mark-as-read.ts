import type { ConversationDetails } from '@rtr/shared';
import { focusManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { useHttp } from '../../lib/http-context.ts';
import { markAsRead } from './write.ts';

/** Returns true while the customer can see the page. */
const useIsPageVisible = (): boolean =>
  useSyncExternalStore(
    (onChange) => focusManager.subscribe(onChange),
    () => focusManager.isFocused(),
    () => false,
  );

/** Marks the messages of a conversation as read while the customer can see them. */
export function useMarkAsRead({ _id: id, isUnread, messages }: ConversationDetails): void {
  const http = useHttp();
  const queries = useQueryClient();
  const isVisible = useIsPageVisible();
  const until = messages.at(-1)?.createdAt;
  useEffect(() => {
    if (!isUnread || !isVisible || until === undefined) return;
    // If this fails, the messages stay unread until the page shows them again.
    markAsRead({ http, queries }, id, until).catch(() => {});
  }, [http, queries, id, isUnread, isVisible, until]);
}
