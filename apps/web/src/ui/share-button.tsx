import { useState } from 'react';
import { copy } from '../lib/clipboard.ts';
import { Button, IconButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { Icon } from './icon.tsx';
import { toast } from './toasts.tsx';

const text = {
  share: 'Share',
  copied: 'Link copied',
  byHand: 'Copy this link',
  link: 'Link',
  hint: 'Your browser does not let us copy it for you.',
};

interface ShareButtonProps {
  /** Says what is shared. */
  label: string;
  /** What it is called where it arrives. */
  title: string;
  /** Within this app. */
  path: string;
  /** Only its icon, where many stand under each other. */
  compact?: boolean;
  className?: string;
}

/** Hands an address to whatever the device shares with; where there is nothing such, copies it. */
export function ShareButton({ label, title, path, compact = false, className = '' }: ShareButtonProps) {
  const [byHand, setByHand] = useState<string>();
  const share = async () => {
    const url = new URL(path, location.origin).href;
    if (await handOver({ title, url })) return;
    if (await copy(url)) toast.success(text.copied);
    else setByHand(url);
  };
  return (
    <>
      {compact ? (
        <IconButton
          label={label}
          onClick={() => void share()}
          className={`text-muted hover:bg-sunken hover:text-ink noscript:hidden ${className}`}
        >
          <Icon name="share" />
        </IconButton>
      ) : (
        <Button tone="quiet" aria-label={label} onClick={() => void share()} className={`noscript:hidden ${className}`}>
          <Icon name="share" />
          {text.share}
        </Button>
      )}
      {byHand && (
        <Dialog title={text.byHand} onClose={() => setByHand(undefined)}>
          <Field
            label={text.link}
            hint={text.hint}
            name="link"
            value={byHand}
            readOnly
            onFocus={({ target }) => target.select()}
          />
        </Dialog>
      )}
    </>
  );
}

/** Whether the device took it, or was told not to. */
async function handOver(what: ShareData): Promise<boolean> {
  if (!('share' in navigator)) return false;
  try {
    await navigator.share(what);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
