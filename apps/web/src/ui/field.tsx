import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { IconButton } from './button.tsx';
import { FieldError } from './field-error.tsx';
import { Icon } from './icon.tsx';
import { Input, TextArea } from './input.tsx';
import { Select } from './select.tsx';

const text = { reveal: 'Show password' };

interface Labelled {
  label: string;
  name: string;
  hint?: ReactNode;
  error?: ReactNode;
}

export function Field({ label, hint, error, ...rest }: Labelled & Omit<ComponentProps<'input'>, 'className'>) {
  const { aria, frame } = useFrame({ label, hint, error });
  const [shown, setShown] = useState(false);
  if (rest.type !== 'password') return frame(<Input {...rest} {...aria} />);
  return frame(
    <div className="relative">
      <Input {...rest} {...aria} type={shown ? 'text' : 'password'} hasButton />
      <IconButton label={text.reveal} variant="inField" aria-pressed={shown} onClick={() => setShown(!shown)}>
        <Icon name="eye" />
      </IconButton>
    </div>,
  );
}

export function AreaField({ label, hint, error, ...rest }: Labelled & Omit<ComponentProps<'textarea'>, 'className'>) {
  const { aria, frame } = useFrame({ label, hint, error });
  return frame(<TextArea {...rest} {...aria} />);
}

export function SelectField({ label, hint, error, ...rest }: Labelled & ComponentProps<typeof Select>) {
  const { aria, frame } = useFrame({ label, hint, error });
  return frame(<Select {...rest} {...aria} />);
}

function useFrame({ label, hint, error }: Omit<Labelled, 'name'>) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const aria = {
    id,
    ...(described && { 'aria-describedby': described }),
    ...(error && { 'aria-invalid': true }),
  };
  const frame = (field: ReactNode) => (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-small wrap-anywhere text-muted">
          {hint}
        </p>
      )}
      {field}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  );
  return { aria, frame };
}
