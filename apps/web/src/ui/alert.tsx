import type { ReactNode } from 'react';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { Icon, type IconName } from './icon.tsx';

type Kind = 'error' | 'warn' | 'ok';

const looks: Record<Kind, { icon: IconName; colours: string }> = {
  error: { icon: 'alert', colours: 'bg-error-ground text-error' },
  warn: { icon: 'alert', colours: 'bg-warn-ground text-warn' },
  ok: { icon: 'check', colours: 'bg-ok-ground text-ok' },
};

interface AlertProps {
  kind?: Kind;
  action?: ReactNode;
  children: ReactNode;
}

/**
 * A message beside the content that it is about. Screen readers announce an error immediately. To announce the other kinds
 * too, put them into a live region.
 */
export function Alert({ kind = 'error', action, children }: AlertProps) {
  const { icon, colours } = looks[kind];
  return (
    <div
      ref={focusHeadingOnRemoval}
      {...(kind === 'error' && { role: 'alert' })}
      className={`flex flex-wrap items-center gap-x-6 gap-y-3 rounded-control border-2 border-current p-4 ${colours}`}
    >
      <div className="flex min-w-0 flex-1 basis-60 gap-3">
        <Icon name={icon} />
        <div className="min-w-0 wrap-anywhere">{children}</div>
      </div>
      {action}
    </div>
  );
}
