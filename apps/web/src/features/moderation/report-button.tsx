import { useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { intentState, useIntent } from '../../lib/intent.ts';
import { dialogOnDemand } from '../../ui/dialog-on-demand.tsx';
import type { ReportTarget } from './write.ts';

const ReportDialog = dialogOnDemand(async () => (await import('./report-dialog.tsx')).ReportDialog);

const text = {
  report: 'Report',
  reportOf: (name: string) => `Report ${name}`,
};

interface ReportButtonProps {
  target: ReportTarget;
  /** The uid of the customer. Undefined for a visitor, and until the session is known. */
  uid: string | undefined;
  /** True if nobody is signed in. The button is then a link to the login page. After the login, the dialog opens. */
  isVisitor: boolean;
  /** The hash of the address to which the customer returns after the login. */
  hash?: string;
}

/**
 * A button that opens the dialog for a report. The script of the dialog is loaded when the customer opens the dialog. If the
 * customer can report nothing, the button is not rendered.
 */
export function ReportButton({ target, uid, isVisitor, hash }: ReportButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const from = useLocation();
  const intent = `report ${target.kind} ${target.id}`;
  useIntent(intent, uid !== undefined, () => setIsOpen(true));
  const look = {
    'aria-label': text.reportOf(target.name),
    className: 'link inline-flex min-h-12 items-center text-small',
  };
  if (target.parts.length === 0) return null;
  if (isVisitor)
    return (
      <Link
        to="/login"
        state={{ from: { ...from, hash: hash ?? from.hash, state: intentState(intent) } }}
        data-screen-only
        {...look}
      >
        {text.report}
      </Link>
    );
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)} data-screen-only {...look}>
        {text.report}
      </button>
      {isOpen && <ReportDialog target={target} uid={uid} onClose={() => setIsOpen(false)} />}
    </>
  );
}
