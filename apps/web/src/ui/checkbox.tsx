import { type ReactNode, useId } from 'react';
import { ProgressStripe } from './progress-stripe.tsx';

interface CheckboxProps {
  label: string;
  hint: ReactNode;
  isOn: boolean;
  /** Whether the change is being saved. The checkbox then ignores clicks. */
  pending: boolean;
  onChange: (isOn: boolean) => void;
}

/** A checkbox that takes effect at once. */
export function Checkbox({ label, hint, isOn, pending, onChange }: CheckboxProps) {
  const id = useId();
  return (
    <div className="relative grid gap-1 pb-2">
      <label className="flex min-h-12 items-center gap-3 font-semibold">
        <input
          type="checkbox"
          aria-describedby={id}
          aria-disabled={pending}
          className="size-6 shrink-0 accent-primary"
          checked={isOn}
          onChange={({ target }) => {
            if (!pending) onChange(target.checked);
          }}
        />
        {label}
      </label>
      <p id={id} className="text-small text-muted">
        {hint}
      </p>
      {pending && <ProgressStripe />}
    </div>
  );
}
