import toaster, { useToaster } from 'react-hot-toast/headless';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

const text = { dismiss: 'Dismiss', region: 'Messages' };

export type Kind = 'blank' | 'error' | 'success' | 'loading' | 'custom';
const icons: Record<Kind, { icon: IconName; colour: string }> = {
  blank: { icon: 'info', colour: 'text-ice' },
  custom: { icon: 'info', colour: 'text-ice' },
  error: { icon: 'alert', colour: 'text-error' },
  success: { icon: 'check', colour: 'text-ok' },
  loading: { icon: 'info', colour: 'text-muted' },
};

/** Milliseconds each kind stays, by the specification. At most 20 stand at once: the library's own limit. */
const durations = {
  blank: { duration: 4000 },
  error: { duration: 4000 },
  success: { duration: 2000 },
  loading: { duration: Number.POSITIVE_INFINITY },
  custom: { duration: 4000 },
};

/** Shows a toast. Given the id of one that stands, it takes that one's place. */
export function show(kind: Kind, message: string, options?: { id?: string }): void {
  if (kind === 'blank') toaster(message, options);
  else toaster[kind](message, options);
}

export const dismiss = (id: string): void => toaster.dismiss(id);

/**
 * The toasts that stand, in two live regions that are there before them, errors in the assertive one: a region that
 * appears together with its text is not read out.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster(durations);
  const shown = toasts.filter(({ visible }) => visible);
  const stack = (kinds: (kind: Kind) => boolean) =>
    shown
      .filter(({ type }) => kinds(type))
      .map(({ id, type, message }) => (
        <div
          key={id}
          data-toast={type}
          className="pointer-events-auto relative flex max-w-full items-center gap-3 overflow-hidden rounded-control border-2 border-ink bg-surface py-1 pr-1 pl-3 text-ink shadow-overlay"
        >
          <span className={icons[type].colour}>
            <Icon name={icons[type].icon} />
          </span>
          <p className="min-w-0 py-2 font-semibold">{typeof message === 'function' ? null : message}</p>
          <IconButton
            label={text.dismiss}
            onClick={() => toaster.dismiss(id)}
            className="size-10 text-muted hover:text-ink"
          >
            <Icon name="close" size={20} />
          </IconButton>
          {type === 'loading' && <span className="air absolute inset-x-0 bottom-0 h-[3px]" />}
        </div>
      ));
  const column = 'flex flex-col items-center gap-2';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- pointing only makes them stay longer
    <section
      aria-label={text.region}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
      className={`pointer-events-none fixed inset-x-4 bottom-4 z-50 ${column}`}
    >
      <div aria-live="assertive" className={column}>
        {stack((kind) => kind === 'error')}
      </div>
      <div aria-live="polite" className={column}>
        {stack((kind) => kind !== 'error')}
      </div>
    </section>
  );
}
