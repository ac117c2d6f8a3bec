import type { HiddenContent } from '@rtr/shared';
import type { ReactNode } from 'react';
import { Alert } from '../../ui/alert.tsx';

const text = {
  hidden: (name: string, date: string) => `A moderator hid ${name} on ${date}.`,
  removed: (name: string, date: string) => `A moderator removed ${name} on ${date}.`,
  stillVisible: 'Only you and our moderators can still see this.',
  reason: (reason: string) => `Reason: ${reason}`,
};

interface HiddenNoteProps {
  /** The words that the note uses for the hidden content, such as 'this review'. */
  name: string;
  /** Undefined if the content is visible. Then there is no note. */
  hidden: HiddenContent | undefined;
}

interface RemovedNoteProps {
  /** The words that the note uses for the removed pictures, such as 'the picture of this service'. */
  name: string;
  /** Undefined if no moderator has removed pictures. Then there is no note. */
  removed: HiddenContent | undefined;
  /** A text that says what the author can do. */
  advice: string;
}

/** Tells the author of hidden content why a moderator has hidden the content. */
export function HiddenNote({ name, hidden }: HiddenNoteProps) {
  if (!hidden) return null;
  return (
    <Note reason={hidden.reason}>
      {text.hidden(name, dateOf(hidden))} {text.stillVisible}
    </Note>
  );
}

/** Tells the author of removed pictures why a moderator has removed the pictures. */
export function RemovedNote({ name, removed, advice }: RemovedNoteProps) {
  if (!removed) return null;
  return (
    <Note reason={removed.reason}>
      {text.removed(name, dateOf(removed))} {advice}
    </Note>
  );
}

function Note({ reason, children }: { reason: string; children: ReactNode }) {
  return (
    <Alert kind="warn">
      <p>{children}</p>
      <p className="whitespace-pre-line">{text.reason(reason)}</p>
    </Alert>
  );
}

const dateOf = ({ at }: HiddenContent) => new Date(at).toLocaleDateString('en-GB', { dateStyle: 'long' });
