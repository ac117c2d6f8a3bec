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
  hint: 'We could not copy the link. Select the link and copy it.',
};

interface ShareButtonProps {
  /** The accessible name of the button, such as 'Share Hood repair'. */
  label: string;
  title: string;
  /** The path of the shared page within this app. */
  path: string;
  /** Whether the button shows only its icon, as in a list. */
  compact?: boolean;
  className?: string;
}

/**
 * A button that opens the share dialog of the device with the address of a page. If the device has no such dialog, the
 * button copies the address.
 */
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

/**
 * Opens the share dialog of the device. Returns false if this fails or there is no such dialog. Returns true even if the
 * customer cancels the dialog.
 */
async function shareByDevice(data: ShareData): Promise<boolean> {
  if (!('share' in navigator)) return false;
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
