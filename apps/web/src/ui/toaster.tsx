import { type FocusEvent, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import toaster, { type Toast, useToaster } from 'react-hot-toast/headless';
import { Link } from 'react-router-dom';
import { hasFocus, passFocusOn } from '../lib/focus.ts';
import { IconButton } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import { MessagePortal, useMessageContainer } from './message-container.tsx';
import { ProgressStripe } from './progress-stripe.tsx';

const text = { dismiss: 'Dismiss' };

export type Kind = 'blank' | 'error' | 'success' | 'loading' | 'custom';
const icons: Record<Kind, { icon: IconName; colour: string }> = {
  blank: { icon: 'info', colour: 'text-ice' },
  custom: { icon: 'info', colour: 'text-ice' },
  error: { icon: 'alert', colour: 'text-error' },
  success: { icon: 'check', colour: 'text-ok' },
  loading: { icon: 'info', colour: 'text-muted' },
};

/** How long each kind of toast is shown, in milliseconds. The specification defines these times. */
const durations = {
  blank: { duration: 4000 },
  error: { duration: 4000 },
  success: { duration: 2000 },
  loading: { duration: Number.POSITIVE_INFINITY },
  custom: { duration: 4000 },
};

/** How long a toast with a link is shown. A customer needs time to reach the link. */
const linkMs = 10_000;

const actionLook = 'link inline-flex min-h-10 shrink-0 items-center px-1';

export interface ToastOptions {
  /** A new toast replaces the toasts with the same id. */
  id?: string;
  action?: { label: string } & ({ onPress: () => void } | { path: string });
}

/**
 * Maps each toast id of this app to ids of the toast library. Each new toast has its own library id. If it reused the
 * library id of an old toast, the timer of the old toast would remove it.
 */
export type LibraryIds = Map<string, string[]>;

export function show(
  libraryIds: LibraryIds,
  kind: Kind,
  messages: string | string[],
  { id, action }: ToastOptions = {},
): void {
  if (id !== undefined) dismiss(libraryIds, id);
  const shown = [messages].flat().map((message) =>
    (kind === 'blank' ? toaster : toaster[kind])(
      <div className="flex min-w-0 flex-wrap items-center gap-x-3">
        <p className="min-w-0 py-2 font-semibold">{message}</p>
        {action && 'path' in action && (
          <Link to={action.path} className={actionLook} onClick={() => id !== undefined && dismiss(libraryIds, id)}>
            {action.label}
          </Link>
        )}
        {action && 'onPress' in action && (
          <button type="button" className={actionLook} onClick={action.onPress}>
            {action.label}
          </button>
        )}
      </div>,
      action && 'path' in action ? { duration: linkMs } : {},
    ),
  );
  if (id !== undefined) libraryIds.set(id, shown);
}

export function dismiss(libraryIds: LibraryIds, id: string): void {
  for (const shown of libraryIds.get(id) ?? []) toaster.remove(shown);
  libraryIds.delete(id);
}

type Edge = 'bottom' | 'top';

/** The distance between the toasts and the edge of the window. The classes of `MessageContainer` contain the same distance. */
const gapPx = 16;

/**
 * Decides whether the toasts are at the lower or at the upper edge of the window, and writes the result to `data-edge`.
 * They start at the lower edge. If they cover a submit button, and would cover none at the other edge, they move there.
 * Scrolling and error messages move the buttons, so the positions are measured in each frame while a toast is shown.
 */
function useFreeEdge(region: HTMLElement | null, isShown: boolean): void {
  useLayoutEffect(() => {
    if (!region || !isShown) return;
    let edge: Edge = 'bottom';
    let frame: number;
    const measure = () => {
      edge = freeEdge(region, edge);
      region.dataset.edge = edge;
      frame = requestAnimationFrame(measure);
    };
    measure();
    return () => cancelAnimationFrame(frame);
  }, [region, isShown]);
}

/**
 * If the toasts cover a submit button at the current edge but would cover none at the other edge, returns the other edge.
 * Otherwise returns the current edge.
 */
function freeEdge(region: HTMLElement, current: Edge): Edge {
  const heightPx = region.offsetHeight + 2 * gapPx;
  // Buttons behind a dialog are inert, so they are ignored.
  const buttons = [...(region.closest('dialog') ?? document).querySelectorAll('form[method=post] [type=submit]')];
  const boxes = buttons.map((button) => button.getBoundingClientRect());
  const isCovered = {
    bottom: boxes.some(({ top, bottom }) => bottom > innerHeight - heightPx && top < innerHeight),
    top: boxes.some(({ top, bottom }) => top < heightPx && bottom > 0),
  };
  const other = current === 'bottom' ? 'top' : 'bottom';
  return isCovered[current] && !isCovered[other] ? other : current;
}

export function Toaster() {
  const { toasts, handlers } = useToaster(durations);
  const { regionOf, liveness } = useMessageContainer();
  const region = regionOf('toasts');
  const shown = toasts.filter(({ visible }) => visible);
  useFreeEdge(region, shown.length > 0);
  // The element that had the focus before a toast got it.
  const previousFocus = useRef<Element>(null);
  const restoreFocusOnRemoval = useCallback(
    (card: Element | null) => () => {
      if (card && hasFocus(card)) passFocusOn(card, () => previousFocus.current);
    },
    [],
  );
  const resume = () => {
    if (!region?.matches(':hover, :focus-within')) handlers.endPause();
  };
  // The timers pause while the pointer or the focus is on a toast. If this toast is removed, the browser fires no event
  // for the pointer or the focus. So this effect resumes the timers of the other toasts after each render.
  useEffect(resume);
  const handleFocus = ({ relatedTarget }: FocusEvent) => {
    if (!region?.contains(relatedTarget)) previousFocus.current = relatedTarget;
    handlers.startPause();
  };
  const card = ({ id, type, message, createdAt }: Toast) => (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hover and focus only pause its timer
    <div
      key={id}
      ref={restoreFocusOnRemoval}
      data-toast={type}
      aria-live={liveness(createdAt)}
      onMouseEnter={handlers.startPause}
      onMouseLeave={resume}
      onFocus={handleFocus}
      onBlur={resume}
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
        className="text-muted hover:text-ink"
      >
        <Icon name="close" size={20} />
      </IconButton>
      {type === 'loading' && <ProgressStripe />}
    </div>
  );
  return (
    <>
      <MessagePortal region="assertive">{shown.filter(({ type }) => type === 'error').map(card)}</MessagePortal>
      <MessagePortal region="polite">{shown.filter(({ type }) => type !== 'error').map(card)}</MessagePortal>
    </>
  );
}
