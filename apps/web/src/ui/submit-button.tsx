import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { Button } from './button.tsx';
import { commonText } from './texts.ts';

interface SubmitButtonProps {
  pending: boolean;
  /** Leaves the form. Without it, there is no button Cancel. */
  onCancel?: (() => void) | undefined;
  children: string;
}

/** The button at the end of a form. If it is removed while it has the focus, the focus moves to the nearest heading. */
export function SubmitButton({ pending, onCancel, children }: SubmitButtonProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <Button ref={focusHeadingOnRemoval} type="submit" pending={pending} className="max-sm:w-full">
        {children}
      </Button>
      {onCancel && (
        <Button tone="quiet" onClick={onCancel} className="max-sm:w-full">
          {commonText.cancel}
        </Button>
      )}
    </div>
  );
}
