import { type ConversationDetails, type Message, newestMessageAnchor } from '@rtr/shared';
import type { ReactNode } from 'react';
import { ageOf } from '../../lib/age.ts';
import { useNow } from '../../lib/now.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Chip } from '../../ui/chip.tsx';
import { CollapsibleText } from '../../ui/collapsible-text.tsx';
import { MessagePhotos } from './message-photos.tsx';
import { nameOf } from './texts.ts';

const text = {
  label: 'Messages',
  you: 'You',
  yours: 'your message',
  theirs: (name: string) => `the message from ${name}`,
  dated: (message: string, time: string) => `${message}, ${time}`,
  hidden: 'A moderator has hidden this message.',
};

interface MessageListProps {
  conversation: ConversationDetails;
  /** The signed-in customer. */
  user: { displayName: string; photoURL: string };
  /** Renders the button that reports a received message. `name` is the name of the message for screen readers. */
  report: (message: Message, name: string) => ReactNode;
}

/** The messages of a conversation, oldest first. */
export function MessageList({ conversation: { messages, other }, user, report }: MessageListProps) {
  const now = useNow();
  const newest = messages.at(-1);
  return (
    <ol aria-label={text.label} className="grid gap-4">
      {messages.map((message) => {
        const { isOwn, createdAt, photos, isHidden } = message;
        const author = isOwn ? user.displayName : nameOf(other);
        // The server does not render messages, so the time zone of the browser can be used.
        const time = new Date(createdAt).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
        const name = text.dated(isOwn ? text.yours : text.theirs(author), time);
        return (
          <li
            key={message._id}
            id={message === newest ? newestMessageAnchor : undefined}
            className={`torn grid scroll-mt-6 gap-3 p-4 ${isOwn ? 'bg-tint sm:ml-12' : 'bg-surface sm:mr-12'}`}
          >
            <div className="flex flex-wrap items-start gap-3">
              <Avatar src={isOwn ? user.photoURL : other.picture} name={author} />
              <div className="grid min-w-0 flex-1 basis-40">
                <p className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
                  <bdi className="font-semibold wrap-anywhere">{author}</bdi>
                  {isOwn && <Chip tone="primary">{text.you}</Chip>}
                </p>
                <p className="text-small text-muted tabular-nums">
                  <time dateTime={createdAt}>{time}</time>
                  {` · ${ageOf(createdAt, now)}`}
                </p>
              </div>
            </div>
            <div className="tear-line pt-3">
              {isHidden && <p className="text-muted">{text.hidden}</p>}
              {message.text.trim() && <CollapsibleText content={message.text} name={name} />}
              {photos && <MessagePhotos photos={photos} name={name} />}
              {!isOwn && !isHidden && report(message, name)}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
