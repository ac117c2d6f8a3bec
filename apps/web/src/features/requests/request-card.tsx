import { addressOfRequest, type Conversation } from '@rtr/shared';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { ageOf } from '../../lib/age.ts';
import { useNow } from '../../lib/now.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { Chip } from '../../ui/chip.tsx';
import { nameOf, requestText } from './texts.ts';

const text = {
  asked: { before: 'You asked ', after: '' },
  wasAsked: { before: '', after: ' asked you' },
  unread: 'Unread',
  you: 'You: ',
  noText: 'Message without text',
};

interface RequestCardProps {
  conversation: Conversation;
  /** The title of the service. */
  title: string;
}

/** A conversation in the list of conversations. The whole card is a link to the newest message. */
export function RequestCard({ conversation, title }: RequestCardProps) {
  const now = useNow();
  const heading = useId();
  const { _id, other, role, isUnread, status, lastMessage } = conversation;
  const name = nameOf(other);
  const who = role === 'customer' ? text.asked : text.wasAsked;
  return (
    <Card aria-labelledby={heading} className="relative flex flex-wrap gap-3 p-4 hover:border-ink">
      <Avatar src={other.picture} name={name} />
      <div className="grid min-w-0 flex-1 basis-40 gap-1">
        <h2 id={heading} className="text-title wrap-anywhere">
          <Link to={addressOfRequest(_id)} className="after:absolute after:inset-0 after:rounded-card">
            {title}
          </Link>
        </h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
          <span className="wrap-anywhere">
            {who.before}
            <bdi>{name}</bdi>
            {who.after}
          </span>
          {isUnread && <Chip tone="primary">{text.unread}</Chip>}
          {status === 'closed' && <Chip>{requestText.closed}</Chip>}
        </p>
        <p className={`line-clamp-2 wrap-anywhere ${isUnread ? 'font-semibold' : ''}`}>
          {lastMessage.isOwn && text.you}
          <bdi>{lastMessage.excerpt || text.noText}</bdi>
        </p>
        <p className="text-small text-muted tabular-nums">
          <time dateTime={lastMessage.createdAt}>{ageOf(lastMessage.createdAt, now)}</time>
        </p>
      </div>
    </Card>
  );
}
