import type { ConversationDetails } from '@rtr/shared';
import { useState } from 'react';
import { LiveRegion } from '../../ui/live-region.tsx';
import { nameOf } from './texts.ts';

const text = { arrived: (name: string, excerpt: string) => `New message from ${name}: ${excerpt}` };

/** The number of characters of a new message that a screen reader announces. */
const announcedLength = 200;

/** Announces each message that arrives while the page is open. */
export function NewMessageRegion({ conversation: { messages, other } }: { conversation: ConversationDetails }) {
  const newest = messages.findLast(({ isOwn }) => !isOwn);
  const [shownAtStart] = useState(newest?._id);
  return (
    <LiveRegion variant="hidden">
      {newest && newest._id !== shownAtStart && text.arrived(nameOf(other), newest.text.slice(0, announcedLength))}
    </LiveRegion>
  );
}
