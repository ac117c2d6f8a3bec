import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

const text = { reveal: 'Show password' };

interface Labelled {
  label: string;
  name: string;
  hint?: ReactNode;
  error?: ReactNode;
}

/** A line of text: label over hint over field over error, tied together for those who listen. A password can be shown. */
export function Field({ label, hint, error, ...rest }: Labelled & Omit<ComponentProps<'input'>, 'className'>) {
  const { tied, frame } = useFrame({ label, hint, error });
  const [shown, setShown] = useState(false);
  if (rest.type !== 'password') return frame(<input {...rest} {...tied} />);
  return frame(
    <div className="relative">
      <input {...rest} {...tied} type={shown ? 'text' : 'password'} className={`${tied.className} pr-13`} />
      <IconButton
        label={text.reveal}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        className="absolute top-0 right-0 text-muted hover:text-ink aria-pressed:text-primary"
      >
        <Icon name="eye" />
      </IconButton>
    </div>,
  );
}

/** Several lines of text; the area grows with them where the browser can. */
export function AreaField({ label, hint, error, ...rest }: Labelled & Omit<ComponentProps<'textarea'>, 'className'>) {
  const { tied, frame } = useFrame({ label, hint, error });
  return frame(<textarea rows={5} {...rest} {...tied} className={`${tied.className} field-sizing-content min-h-36`} />);
}

function useFrame({ label, hint, error }: Omit<Labelled, 'name'>) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const tied = {
    id,
    className: `block min-h-12 w-full rounded-control border-2 bg-surface px-3 py-2 text-body text-ink placeholder:text-muted read-only:bg-sunken read-only:text-muted ${error ? 'border-error' : 'border-control'}`,
    ...(described && { 'aria-describedby': described }),
    ...(error && { 'aria-invalid': true }),
  };
  const frame = (field: ReactNode) => (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      )}
      {field}
      {/* There before its text, which is read out when it comes while the focus is elsewhere. */}
      <div aria-live="polite" className="empty:absolute">
        {error && (
          <p id={`${id}-error`} className="flex gap-2 text-small text-error">
            <Icon name="alert" size={20} />
            <span>{error}</span>
          </p>
        )}
      </div>
    </div>
  );
  return { tied, frame };
}
