import type { ModerationAction, ModerationCase, ModerationInput } from '@rtr/shared';
import { canRetry } from '../../lib/failure.ts';
import { failureText } from '../../ui/failure-alert.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { ActionResult } from './write.ts';

const doneTexts: Record<ModerationAction, string> = {
  hide: 'The content is hidden.',
  dismiss: 'The reports are dismissed.',
  restore: 'The content is visible again.',
};
const pictureTexts: typeof doneTexts = {
  ...doneTexts,
  hide: 'The pictures are removed.',
  restore: 'The pictures can be used again.',
};
const failed = 'Your decision was not saved. Try again.';

type Input = Omit<ModerationInput, 'version'>;

/** Sends an action of the moderator to the API. `row` is the case as the moderator has seen it. */
export type SendAction = (row: ModerationCase, input: Input) => Promise<ActionResult>;

/**
 * Sends an action of the moderator. If the API saves it, shows a toast. Otherwise resolves with an error text: `outdatedText`
 * if the case has changed since the moderator saw it, together with the case as it is now.
 */
export async function sendAction(
  onAct: SendAction,
  row: ModerationCase,
  input: Input,
  outdatedText: string,
): Promise<{ failure: string; current?: ModerationCase | undefined } | undefined> {
  const result = await onAct(row, input);
  if (result !== 'done')
    return 'isOutdated' in result
      ? { failure: outdatedText, current: result.current }
      : { failure: failureText(result, canRetry(result) ? failed : result.detail) };
  toast.success((input.part === 'picture' ? pictureTexts : doneTexts)[input.action], { id: row._id });
  return undefined;
}
