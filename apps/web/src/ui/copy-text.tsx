import { copy } from '../lib/clipboard.ts';
import { Button } from './button.tsx';
import { toast } from './toasts.tsx';

const text = {
  copy: 'Copy text',
  copied: 'Text copied',
  notCopied: 'We could not copy your text. Select the text and copy it.',
};

/** A button that copies a text that cannot be sent any more. Each click calls `text` to get the current text. */
export function CopyText({ text: getText }: { text: () => string }) {
  const copyText = async () => {
    if (await copy(getText())) toast.success(text.copied, { id: 'copy' });
    else toast.error(text.notCopied, { id: 'copy' });
  };
  return (
    <Button tone="quiet" onClick={() => void copyText()}>
      {text.copy}
    </Button>
  );
}
