import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
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

export interface ToastOptions {
  /** What the toast is about. It replaces every toast about the same that is still shown. */
  id?: string;
  action?: { label: string; onPress: () => void };
}

/** The library's ids of the toasts under an id of ours. They are new each time: the timers of one would else end the next. */
const latest = new Map<string, string[]>();

/** Several messages become as many toasts. */
export function show(kind: Kind, messages: string | string[], { id, action }: ToastOptions = {}): void {
  if (id !== undefined) dismiss(id);
  const shown = [messages].flat().map((message) =>
    (kind === 'blank' ? toaster : toaster[kind])(
      <>
        <p className="min-w-0 py-2 font-semibold">{message}</p>
        {action && (
          <button type="button" className="link min-h-10 shrink-0 px-1" onClick={action.onPress}>
            {action.label}
          </button>
        )}
      </>,
    ),
  );
  if (id !== undefined) latest.set(id, shown);
}

export function dismiss(id: string): void {
  for (const shown of latest.get(id) ?? []) toaster.remove(shown);
  latest.delete(id);
}

type Edge = 'bottom' | 'top';

/** Pixels between the toasts and the edge of the window; the same as the classes below. */
const gapPx = 16;

/**
 * The edge of the window for the toasts: the lower one, until they would cover a button that sends a form. It is measured
 * in each frame while a toast is shown, because the page scrolls, and an error message moves the button below it.
 */
function useFreeEdge(region: RefObject<HTMLElement | null>, isShown: boolean): Edge {
  const [edge, setEdge] = useState<Edge>('bottom');
  useLayoutEffect(() => {
    if (!isShown) return;
    let free: Edge = 'bottom';
    let frame: number;
    const measure = () => {
      if (region.current) free = freeEdge(region.current, free);
      setEdge(free);
      frame = requestAnimationFrame(measure);
    };
    measure();
    return () => cancelAnimationFrame(frame);
  }, [region, isShown]);
  return edge;
}

/** The other edge when the toasts cover a button at this one, and would cover none there. */
function freeEdge(region: HTMLElement, current: Edge): Edge {
  const heightPx = region.offsetHeight + 2 * gapPx;
  // Behind a dialog nothing can be pressed.
  const buttons = [...(region.closest('dialog') ?? document).querySelectorAll('form[method=post] [type=submit]')];
  const boxes = buttons.map((button) => button.getBoundingClientRect());
  const isCovered = {
    bottom: boxes.some(({ top, bottom }) => bottom > innerHeight - heightPx && top < innerHeight),
    top: boxes.some(({ top, bottom }) => top < heightPx && bottom > 0),
  };
  const other = current === 'bottom' ? 'top' : 'bottom';
  return isCovered[current] && !isCovered[other] ? other : current;
}

/**
 * The toasts that stand, in two live regions that are there before them, errors in the assertive one: a region that
 * appears together with its text is not read out.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster(durations);
  const region = useRef<HTMLElement>(null);
  // Where the focus was before it came to a toast.
  const cameFrom = useRef<Element>(null);
  const goOn = () => {
    if (!region.current?.matches(':hover, :focus-within')) handlers.endPause();
  };
  // What was pointed at or had the focus may go without a word of leaving; the others must not stay for that.
  useEffect(() => {
    if (cameFrom.current instanceof HTMLElement && document.activeElement === document.body) cameFrom.current.focus();
    goOn();
  });
  const noteFocus = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget;
    handlers.startPause();
  };
  const noteBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) cameFrom.current = null;
    goOn();
  };
  const shown = toasts.filter(({ visible }) => visible);
  const edge = useFreeEdge(region, shown.length > 0);
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
          {typeof message === 'function' ? null : message}
          <IconButton
            label={text.dismiss}
            onClick={() => {
              handlers.endPause();
              toaster.dismiss(id);
            }}
            className="size-10 text-muted hover:text-ink"
          >
            <Icon name="close" size={20} />
          </IconButton>
          {type === 'loading' && <span className="air absolute inset-x-0 bottom-0 h-[3px]" />}
        </div>
      ));
  const column = 'flex flex-col items-center gap-2';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- pointing only makes them stay longer, and so does the focus
    <section
      ref={region}
      aria-label={text.region}
      onMouseEnter={handlers.startPause}
      onMouseLeave={goOn}
      onFocus={noteFocus}
      onBlur={noteBlur}
      className={`inset-x-4 ${edge === 'top' ? 'fixed top-4' : 'absolute bottom-full mb-4'} ${column}`}
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
