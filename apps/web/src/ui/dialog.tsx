import { type KeyboardEventHandler, type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

const text = { close: 'Close' };

/** Those that are open, the one on top last. */
const open: HTMLElement[] = [];

/** All outside the dialog on top is inert, toasts and their live regions too: they stand in there for as long. */
function placeMessages(): void {
  const messages = document.querySelector('[data-messages]');
  if (messages) (open.at(-1) ?? document.querySelector('[data-messages-home]'))?.append(messages);
}

interface DialogProps {
  title: string;
  /** Called when it closes, whichever way: its button, Esc, or a press beside it. */
  onClose: () => void;
  /** Fills the window, for what is looked at. */
  wide?: boolean;
  onKeyDown?: KeyboardEventHandler<HTMLDialogElement>;
  children: ReactNode;
}

/** A modal native dialog, open while it is rendered. The browser keeps the focus inside; it returns to where it was. */
export function Dialog({ title, onClose, wide = false, onKeyDown, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const opener = document.activeElement;
    if (!ref.current?.open) ref.current?.showModal();
    // It goes by no longer being rendered, and then the browser gives the focus to nobody.
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    open.push(dialog);
    placeMessages();
    return () => {
      open.splice(open.indexOf(dialog), 1);
      placeMessages();
    };
  }, []);
  const width = wide ? 'w-[min(72rem,calc(100vw-16px))]' : 'w-[min(40rem,calc(100vw-32px))]';
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- Esc does what a press beside it does
    <dialog
      ref={ref}
      aria-labelledby={heading}
      // Esc: at once. The browser's own closing tells of it only later, when its opener may have been pressed again.
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClose={onClose}
      onKeyDown={onKeyDown}
      onClick={(event) => event.target === ref.current && onClose()}
      className={`${width} m-auto max-h-[calc(100dvh-32px)] overflow-auto rounded-hero border-2 border-ink bg-surface text-ink shadow-overlay backdrop:bg-drawn/70`}
    >
      <div className="grid gap-4 p-4 sm:p-6">
        <header className="flex items-start justify-between gap-4">
          <h2 id={heading} className="min-w-0 pt-2 text-section wrap-anywhere">
            {title}
          </h2>
          <IconButton label={text.close} onClick={onClose} className="hover:bg-sunken">
            <Icon name="close" />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>
  );
}
