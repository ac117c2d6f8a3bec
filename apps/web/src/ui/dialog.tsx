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
  /** Fills the window, for a picture and its tools: the two children. */
  fullWindow?: boolean;
  onKeyDown?: KeyboardEventHandler<HTMLDialogElement>;
  children: ReactNode;
}

const looks = {
  card: {
    dialog:
      'm-auto max-h-[calc(100dvh-32px)] w-[min(40rem,calc(100vw-32px))] overflow-auto rounded-hero border-2 border-ink shadow-overlay',
    content: 'grid gap-4 p-4 sm:p-6',
    header: '',
    heading: 'pt-2 text-section',
  },
  // On a phone held sideways the tools are beside the picture, under the Close button.
  fullWindow: {
    dialog: 'h-full max-h-none w-full max-w-none overflow-hidden',
    content:
      'grid h-full grid-rows-[auto_minmax(0,1fr)_auto] short:grid-cols-[minmax(0,1fr)_auto] short:grid-rows-[auto_minmax(0,1fr)]',
    header: 'p-2 pl-4 short:col-start-2 short:justify-end',
    heading: 'line-clamp-2 self-center text-title short:sr-only',
  },
};

/** A modal native dialog, open while it is rendered. The browser keeps the focus inside; it returns to where it was. */
export function Dialog({ title, onClose, fullWindow = false, onKeyDown, children }: DialogProps) {
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
  const look = looks[fullWindow ? 'fullWindow' : 'card'];
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
      className={`bg-surface text-ink backdrop:bg-drawn/70 ${look.dialog}`}
    >
      <div className={look.content}>
        <header className={`flex items-start justify-between gap-4 ${look.header}`}>
          <h2 id={heading} className={`min-w-0 wrap-anywhere ${look.heading}`}>
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
