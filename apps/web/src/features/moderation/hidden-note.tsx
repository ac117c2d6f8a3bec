import type { HiddenContent } from '@rtr/shared';
import { dayOf } from '../../lib/date.ts';
import { Alert } from '../../ui/alert.tsx';
import { Appeal } from './appeal.tsx';
import type { AppealTarget } from './write.ts';

const text = {
  hidden: (name: string, date: string) => `A moderator hid ${name} on ${date}.`,
  removed: (name: string, date: string) => `A moderator removed ${name} on ${date}.`,
  stillVisible: 'Only you and our moderators can still see this.',
  reason: (reason: string) => `Reason: ${reason}`,
};

interface HiddenNoteProps {
  target: AppealTarget;
  /** The words that the note uses for the content, such as 'this review'. */
  name: string;
  /** Undefined if nothing is hidden or removed. Then there is no note. */
  decision: HiddenContent | undefined;
  /** If pictures were removed, a text that says what the author can do. */
  advice?: string;
  /** The uid of the author. With it, the author can ask for another look. */
  uid?: string | undefined;
}

/** Tells the author why a moderator has hidden their content, or has removed their pictures. */
export function HiddenNote({ target, name, decision, advice = text.stillVisible, uid }: HiddenNoteProps) {
  if (!decision) return null;
  const date = dayOf(decision.at);
  return (
    <Alert kind="warn">
      <p>
        {(target.about === 'picture' ? text.removed : text.hidden)(name, date)} {advice}
      </p>
      <p className="whitespace-pre-line">{text.reason(decision.reason)}</p>
      {uid && <Appeal target={target} name={name} decision={decision} uid={uid} />}
    </Alert>
  );
}
