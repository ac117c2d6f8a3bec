import type { ModerationCase, ReportedPart } from '@rtr/shared';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { ageOf } from '../../lib/age.ts';
import { focusHeadingOnRemoval, focusNeighborOnRemoval } from '../../lib/focus.ts';
import { useNow } from '../../lib/now.tsx';
import { useStorage } from '../../lib/storage-context.ts';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Chip } from '../../ui/chip.tsx';
import type { ActionDialogContent } from './action-dialog.tsx';
import { type ReasonedAction, removeReasonDraft } from './reason-draft.ts';
import { type SendAction, sendAction } from './send-action.ts';
import { type ModeratedPart, partNames, reasonNames } from './texts.ts';

const text = {
  reports: (count: number, shown: number) =>
    `${count} ${count === 1 ? 'report' : 'reports'}${count > shown ? `, the newest ${shown} are shown` : ''}`,
  opened: (age: string) => `Opened ${age}`,
  closed: { hidden: (age: string) => `Content hidden ${age}`, kept: (age: string) => `Closed ${age}, content kept` },
  answered: 'answered',
  deleted: 'This content was deleted by its author.',
  history: 'History',
  hidden: { review: 'Review hidden', reply: 'Reply hidden', picture: 'Pictures hidden', service: 'Service hidden' },
  someHidden: 'Some pictures hidden',
  earlierHidden: 'Earlier pictures hidden',
  by: (uid: string) => `by ${uid}`,
  buttons: { hide: 'Hide', dismiss: 'Dismiss', restore: 'Restore' },
  past: { hide: 'Hidden', dismiss: 'Dismissed', restore: 'Restored' },
  outdated: 'Another moderator has acted on this case, or a new report has arrived. This is the case as it is now.',
};

interface CaseCardProps {
  row: ModerationCase;
  title: ReactNode;
  /** The reported review or service. */
  children: ReactNode;
  /** The uid of the moderator. */
  uid: string;
  /** The action of the dialog that is open for this case. */
  dialogAction: ReasonedAction | undefined;
  onAct: SendAction;
  onOpenDialog: (content: ActionDialogContent) => void;
}

/** A moderation case with the reported content, the reports, the earlier actions and the buttons for the moderator. */
export function CaseCard({ row, title, children, uid, dialogAction, onAct, onOpenDialog }: CaseCardProps) {
  const now = useNow();
  const heading = useId();
  const [error, setError] = useState<string>();
  const { hideable, hidden, restorable } = partsOf(row);
  const storage = useStorage();
  const canHide = hideable.length > 0;
  const canRestore = restorable.length > 0;
  // Another moderator's decision can remove a button. The draft of its dialog can then no longer be sent or discarded.
  useEffect(() => {
    if (!canHide && dialogAction !== 'hide') removeReasonDraft(storage, uid, 'hide', row._id);
    if (!canRestore && dialogAction !== 'restore') removeReasonDraft(storage, uid, 'restore', row._id);
  }, [storage, uid, row._id, canHide, canRestore, dialogAction]);
  const [dismiss, isDismissing] = useSingleFlight(async () => {
    setError(await sendAction(onAct, row, { action: 'dismiss', reason: '' }, text.outdated));
  });
  const openDialog = (content: Omit<ActionDialogContent, 'row'>) => {
    setError(undefined);
    onOpenDialog({ ...content, row });
  };

  const age = ageOf(row.statusSince, now);
  return (
    <Card ref={focusNeighborOnRemoval} aria-labelledby={heading} className="grid gap-4 p-4 sm:p-6">
      <div className="grid gap-2">
        <h2 id={heading} className="text-title wrap-anywhere">
          {title}
        </h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
          {row.status === 'open' ? text.opened(age) : text.closed[row.outcome ?? 'kept'](age)}
          {hidden.map((name) => (
            <Chip key={name} tone="ink">
              {name}
            </Chip>
          ))}
        </p>
      </div>
      <div className="grid items-start gap-6 md:grid-cols-2">
        <div className="min-w-0 rounded-control border-2 border-line bg-page p-4">
          {row.review || row.service ? children : <p className="text-muted">{text.deleted}</p>}
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <Reports row={row} now={now} />
          {row.history.length > 0 && <History row={row} now={now} />}
        </div>
      </div>
      {error && <Alert>{error}</Alert>}
      <div className="flex flex-wrap gap-3">
        {canHide && (
          <Button
            ref={focusHeadingOnRemoval}
            tone="danger"
            onClick={() => openDialog({ action: 'hide', parts: hideable })}
          >
            {text.buttons.hide}
          </Button>
        )}
        {row.status === 'open' && (
          <Button ref={focusHeadingOnRemoval} tone="quiet" pending={isDismissing} onClick={() => void dismiss()}>
            {text.buttons.dismiss}
          </Button>
        )}
        {canRestore && (
          <Button
            ref={focusHeadingOnRemoval}
            tone="quiet"
            onClick={() => openDialog({ action: 'restore', parts: restorable })}
          >
            {text.buttons.restore}
          </Button>
        )}
      </div>
    </Card>
  );
}

interface PartProps {
  row: ModerationCase;
  now: number;
}

function Reports({ row: { reports, reportCount }, now }: PartProps) {
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{text.reports(reportCount, reports.length)}</h3>
      <ul className="grid gap-3">
        {reports.map(({ about, reason, text: details, createdAt, status }) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={createdAt + reason + details} className="grid gap-1">
            <p className="font-semibold">{reasonNames[reason]}</p>
            {details && <p className="whitespace-pre-line wrap-anywhere">{details}</p>}
            <p className="text-small text-muted">
              {[partNames[about], ageOf(createdAt, now), ...(status === 'closed' ? [text.answered] : [])].join(' · ')}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function History({ row: { history }, now }: PartProps) {
  return (
    <section className="grid gap-2">
      <h3 className="font-semibold">{text.history}</h3>
      <ol className="grid gap-3">
        {history.map(({ action, part, reason, at, by }) => (
          <li key={at} className="grid gap-1">
            <p className="wrap-anywhere">
              <span className="font-semibold">{text.past[action]}</span>
              {reason && `: ${reason}`}
            </p>
            <p className="text-small wrap-anywhere text-muted">
              {[partNames[part], ageOf(at, now), text.by(by)].join(' · ')}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/**
 * Returns the parts that the moderator can hide, the parts that the moderator can restore, and a text about each hidden
 * part. If the whole review or service is hidden, the moderator cannot hide a further part. The part that was reported
 * last comes first in `hideable`.
 */
function partsOf({
  review,
  service,
  hidden,
  // During an upgrade, an earlier version of the API may respond without these numbers.
  hiddenPictures = { current: hidden.picture ? 1 : 0, replaced: 0 },
  reports,
}: ModerationCase) {
  const parts: ReportedPart[] = [];
  if (review) parts.push('review');
  if (review?.reply) parts.push('reply');
  if (review?.photos) parts.push('picture');
  if (service) parts.push('service');
  if (service?.img) parts.push('picture');
  const isHidden = (part: ReportedPart) => hidden[part] !== undefined;
  const hideable = hidden.review || hidden.service ? [] : parts.filter((part) => !isHidden(part));
  const reported = reports[0]?.about;
  // The part `picture` counts as hidden only if all pictures are hidden. But hidden pictures can be restored even if
  // other pictures are visible.
  const restorable: ModeratedPart[] = parts.filter((part) =>
    part === 'picture' ? hiddenPictures.current > 0 : isHidden(part),
  );
  if (parts.length > 0 && hiddenPictures.replaced > 0) restorable.push('replaced pictures');
  return {
    hidden: restorable.map((part) => {
      if (part === 'replaced pictures') return text.earlierHidden;
      return isHidden(part) ? text.hidden[part] : text.someHidden;
    }),
    restorable,
    hideable: hideable.toSorted((one, other) => Number(other === reported) - Number(one === reported)),
  };
}
