import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { Button } from './button.tsx';

/** The button at the end of a form. If it is removed while it has the focus, the focus moves to the nearest heading. */
export function SubmitButton({ pending, children }: { pending: boolean; children: string }) {
  return (
    <Button ref={focusHeadingOnRemoval} type="submit" pending={pending} className="justify-self-start max-sm:w-full">
      {children}
    </Button>
  );
}
