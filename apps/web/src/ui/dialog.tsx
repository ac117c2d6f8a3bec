import { type KeyboardEventHandler, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { DialogPendingProvider } from '../lib/dialog-pending.ts';
import { rememberOpener } from '../lib/focus.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { MessageContainer } from './message-container.tsx';

const text = { close: 'Close' };

interface DialogProps {
  title: string;
  /** Called when the customer closes the dialog with its button, with Esc, or with a click outside. */
  onClose: () => void;
  /** Whether the dialog fills the window. It must then have two children, such as a picture and a row of buttons. */
  fullWindow?: boolean;
  onKeyDown?: KeyboardEventHandler<HTMLDialogElement>;
  /**
   * If true, the customer cannot close the dialog. The customer also cannot close it while a form in the dialog is being
   * sent.
   */
  isPending?: boolean;
  children: ReactNode;
}

const looks = {
  card: {
    dialog:
      'm-auto max-h-[calc(100dvh-32px)] w-[min(40rem,calc(100vw-32px))] scroll-pb-24 overflow-auto rounded-hero border-2 border-ink shadow-overlay',
    content: 'grid gap-4 p-4 sm:p-6',
    header: '',
    heading: 'pt-2 text-section',
  },
  // In landscape on a phone, the buttons are beside the picture and below the Close button.
  fullWindow: {
    dialog: 'h-full max-h-none w-full max-w-none overflow-hidden',
    content:
      'grid h-full grid-rows-[auto_minmax(0,1fr)_auto] short:grid-cols-[minmax(0,1fr)_auto] short:grid-rows-[auto_minmax(0,1fr)]',
    header: 'p-2 pl-4 short:col-start-2 short:justify-end',
    heading: 'line-clamp-2 self-center text-title short:sr-only',
  },
};

/**
 * A native modal dialog, which is open while it is rendered. The browser keeps the focus inside the dialog. When it closes,
 * the focus returns to the element that opened it.
 */
export function Dialog({
  title,
  onClose,
  fullWindow = false,
  onKeyDown,
  isPending: startedPending = false,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const [formPending, setPending] = useState(false);
  const isPending = startedPending || formPending;
  const close = () => {
    if (!isPending) onClose();
    // If the customer presses Esc twice, the browser closes the dialog although an action is pending. So the dialog is
    // opened again.
    else if (ref.current && !ref.current.open) ref.current.showModal();
  };
  const wasPressedOutside = useRef(false);
  const returnFocus = useRef<() => void>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    returnFocus.current ??= rememberOpener(dialog);
    if (!dialog.open) dialog.showModal();
    // The browser does not return the focus if React removes an open dialog.
    return returnFocus.current;
  }, []);
  const style = looks[fullWindow ? 'fullWindow' : 'card'];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Esc does the same as a click outside
    <dialog
      ref={ref}
      aria-labelledby={heading}
      // Closes the dialog on Esc without waiting for the event `close`. The browser fires this event later, when the
      // customer may already have opened the dialog again.
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={close}
      onKeyDown={onKeyDown}
      onMouseDown={({ target }) => {
        wasPressedOutside.current = target === ref.current;
      }}
      onMouseUp={({ target }) => {
        wasPressedOutside.current &&= target === ref.current;
      }}
      // If the customer presses the mouse button inside the dialog and releases it outside, for example to select text, the
      // browser fires a click event on the dialog. Such a click does not close the dialog.
      onClick={({ target }) => target === ref.current && wasPressedOutside.current && close()}
      className={`bg-surface text-ink backdrop:bg-drawn/70 ${style.dialog}`}
    >
      <div className={style.content}>
        <header className={`flex items-start justify-between gap-4 ${style.header}`}>
          <h2 id={heading} className={`min-w-0 wrap-anywhere ${style.heading}`}>
            {title}
          </h2>
          <IconButton label={text.close} aria-disabled={isPending} onClick={close} className="hover:bg-sunken">
            <Icon name="close" />
          </IconButton>
        </header>
        <DialogPendingProvider value={setPending}>{children}</DialogPendingProvider>
      </div>
      <MessageContainer className="fixed inset-x-0 bottom-0" />
    </dialog>
  );
}
