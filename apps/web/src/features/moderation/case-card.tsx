import type { ModerationCase } from '@rtr/shared';
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
import { partsOf } from './parts.ts';
import { type ReasonedAction, removeReasonDraft } from './reason-draft.ts';
import { type SendAction, sendAction } from './send-action.ts';
import { partNames, reportNames } from './texts.ts';

const text = {
  reports: (count: number, shown: number) =>
    `${count} ${count === 1 ? 'report' : 'reports'}${count > shown ? `, the newest ${shown} are shown` : ''}`,
  status: { open: (age: string) => `Opened ${age}`, closed: (age: string) => `Closed ${age}` },
  answered: 'answered',
  deleted: 'This content was deleted by its author.',
  history: 'History',
  hidden: {
    review: 'Review hidden',
    reply: 'Reply hidden',
    picture: 'Pictures removed',
    service: 'Service hidden',
    message: 'Message hidden',
  },
  senders: { lister: 'by the lister of the service', author: 'by the author of the review', customer: 'by a customer' },
  by: (name: string) => `by ${name}`,
  buttons: { hide: 'Hide', dismiss: 'Dismiss', restore: 'Restore' },
  labels: {
    hide: (target: string) => `Hide ${target}`,
    dismiss: (target: string) => `Dismiss the reports about ${target}`,
    restore: (target: string) => `Restore ${target}`,
  },
  past: { hide: 'Hidden', dismiss: 'Dismissed', restore: 'Restored' },
  pastOfPictures: { hide: 'Removed', dismiss: 'Dismissed', restore: 'Allowed again' },
  own: 'This is about your own service, review, reply or conversation. Another moderator must decide.',
  outdated: 'This case or its content has changed. This is how it is now.',
};

interface CaseCardProps {
  row: ModerationCase;
  title: ReactNode;
  /** The name of the content for screen readers, such as 'the review by Amira, 11/3/2026'. */
  target: string;
  /** The reported review, service or message. */
  children: ReactNode;
  /** The uid of the moderator. */
  uid: string;
  /** The action of the dialog that is open for this case. */
  dialogAction: ReasonedAction | undefined;
  onAct: SendAction;
  onOpenDialog: (content: ActionDialogContent) => void;
}

/** A moderation case with the reported content, the reports, the earlier actions and the buttons for the moderator. */
export function CaseCard({ row, title, target, children, uid, dialogAction, onAct, onOpenDialog }: CaseCardProps) {
  const now = useNow();
  const heading = useId();
  const [error, setError] = useState<string>();
  const parts = partsOf(row);
  const storage = useStorage();
  const canHide = !row.isOwn && parts.hide.length > 0;
  const canRestore = !row.isOwn && parts.restore.length > 0;
  // Another moderator's decision can remove a button. The draft of its dialog can then no longer be sent or discarded.
  useEffect(() => {
    if (!canHide && dialogAction !== 'hide') removeReasonDraft(storage, uid, 'hide', row._id);
    if (!canRestore && dialogAction !== 'restore') removeReasonDraft(storage, uid, 'restore', row._id);
  }, [storage, uid, row._id, canHide, canRestore, dialogAction]);
  const [dismiss, isDismissing] = useSingleFlight(async () => {
    const result = await sendAction(onAct, row, { action: 'dismiss', reason: '' }, text.outdated);
    setError(result?.failure);
  });
  const openDialog = (action: ReasonedAction) => {
    setError(undefined);
    onOpenDialog({ action, row });
  };

  return (
    <Card ref={focusNeighborOnRemoval} aria-labelledby={heading} className="grid gap-4 p-4 sm:p-6">
      <div className="grid gap-2">
        <h2 id={heading} className="text-title wrap-anywhere">
          {title}
        </h2>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
          {text.status[row.status](ageOf(row.statusSince, now))}
          {parts.restore.map((part) => (
            <Chip key={part} tone="ink">
              {text.hidden[part]}
            </Chip>
          ))}
        </p>
      </div>
      <div className="grid items-start gap-6 md:grid-cols-2">
        <div className="min-w-0 rounded-control border-2 border-line bg-page p-4">
          {row.review || row.service || row.message ? children : <p className="text-muted">{text.deleted}</p>}
        </div>
        <div className="grid min-w-0 content-start gap-6">
          <Reports row={row} now={now} />
          {row.history.length > 0 && <History row={row} now={now} />}
        </div>
      </div>
      {error && <Alert>{error}</Alert>}
      {row.isOwn && <p className="text-muted">{text.own}</p>}
      <div className="flex flex-wrap gap-3 empty:hidden">
        {canHide && (
          <Button
            ref={focusHeadingOnRemoval}
            tone="danger"
            aria-label={text.labels.hide(target)}
            onClick={() => openDialog('hide')}
          >
            {text.buttons.hide}
          </Button>
        )}
        {row.status === 'open' && !row.isOwn && (
          <Button
            ref={focusHeadingOnRemoval}
            tone="quiet"
            aria-label={text.labels.dismiss(target)}
            pending={isDismissing}
            onClick={() => void dismiss()}
          >
            {text.buttons.dismiss}
          </Button>
        )}
        {canRestore && (
          <Button
            ref={focusHeadingOnRemoval}
            tone="quiet"
            aria-label={text.labels.restore(target)}
            onClick={() => openDialog('restore')}
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
        {reports.map(({ by, about, reason, text: details, createdAt, status }) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={createdAt + reason + details} className="grid gap-1">
            <p className="font-semibold">{reportNames[reason]}</p>
            {details && <p className="whitespace-pre-line wrap-anywhere">{details}</p>}
            <p className="text-small text-muted">
              {[
                partNames[about],
                text.senders[by],
                ageOf(createdAt, now),
                ...(status === 'closed' ? [text.answered] : []),
              ].join(' · ')}
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
              <span className="font-semibold">{(part === 'picture' ? text.pastOfPictures : text.past)[action]}</span>
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
