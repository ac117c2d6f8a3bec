import type { HiddenContent } from '@rtr/shared';
import { Alert } from '../../ui/alert.tsx';

const text = {
  hidden: (name: string, date: string) => `A moderator hid ${name} on ${date}.`,
  stillVisible: 'Only you and our moderators can still see this.',
  reason: (reason: string) => `Reason: ${reason}`,
};

interface HiddenNoteProps {
  /** The words that the note uses for the hidden content, such as 'this review'. */
  name: string;
  /** Undefined if the content is visible. Then there is no note. */
  hidden: HiddenContent | undefined;
  /** A text that says what the author can do. By default, it says who can still see the content. */
  advice?: string;
}

/** Tells the author of hidden content why a moderator has hidden the content. */
export function HiddenNote({ name, hidden, advice = text.stillVisible }: HiddenNoteProps) {
  if (!hidden) return null;
  return (
    <Alert kind="warn">
      <p>
        {text.hidden(name, new Date(hidden.at).toLocaleDateString('en-GB', { dateStyle: 'long' }))} {advice}
      </p>
      <p className="whitespace-pre-line">{text.reason(hidden.reason)}</p>
    </Alert>
  );
}
