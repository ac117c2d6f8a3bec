import { copy } from '../../lib/clipboard.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toasts.tsx';

const text = {
  copy: 'Copy text',
  copied: 'Text copied',
  notCopied: 'Your browser does not let us copy it. Mark the text and copy it yourself.',
};

/** Copies the text of a review that can no longer be sent. `text` is called when the button is pressed. */
export function CopyText({ text: words }: { text: () => string }) {
  const copyWords = async () => {
    if (await copy(words())) toast.success(text.copied, { id: 'copy' });
    else toast.error(text.notCopied, { id: 'copy' });
  };
  return (
    <Button tone="quiet" onClick={() => void copyWords()}>
      {text.copy}
    </Button>
  );
}
