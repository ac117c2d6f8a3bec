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
  manualCopy: 'Copy this link',
  link: 'Link',
  hint: 'We could not copy the link. Select it and copy it yourself.',
};

interface ShareButtonProps {
  /** The accessible name, such as 'Share Hood repair'. */
  label: string;
  /** The title of the shared page. */
  title: string;
  /** The address within this app. */
  path: string;
  /** Shows only the icon, as in a list. */
  compact?: boolean;
  className?: string;
}

/** Shares an address through the device, or copies it if the device cannot share. */
export function ShareButton({ label, title, path, compact = false, className = '' }: ShareButtonProps) {
  const [manualCopyUrl, setManualCopyUrl] = useState<string>();
  const share = async () => {
    const url = new URL(path, location.origin).href;
    if (await shareByDevice({ title, url })) return;
    if (await copy(url)) toast.success(text.copied);
    else setManualCopyUrl(url);
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
      {manualCopyUrl && (
        <Dialog title={text.manualCopy} onClose={() => setManualCopyUrl(undefined)}>
          <Field
            label={text.link}
            hint={text.hint}
            name="link"
            value={manualCopyUrl}
            readOnly
            onFocus={({ target }) => target.select()}
          />
        </Dialog>
      )}
    </>
  );
}

/** Returns false if the device cannot share. Cancelling counts as shared. */
async function shareByDevice(data: ShareData): Promise<boolean> {
  if (!('share' in navigator)) return false;
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
