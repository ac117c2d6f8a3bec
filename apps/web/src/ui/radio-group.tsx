import { useId } from 'react';
import { FieldError } from './field-error.tsx';

interface RadioGroupProps<T extends string> {
  label: string;
  name: string;
  /** The text of each value, in the order of the radio buttons. */
  options: readonly (readonly [value: T, text: string])[];
  /** The value that is chosen at first. Without it, the customer must choose before the form can be sent. */
  initial?: T | undefined;
  error?: string | undefined;
}

/** A required field with one radio button for each value. */
export function RadioGroup<T extends string>({ label, name, options, initial, error }: RadioGroupProps<T>) {
  const errorId = useId();
  return (
    <fieldset aria-describedby={error && errorId}>
      <legend className="font-semibold">{label}</legend>
      <FieldError id={errorId}>{error}</FieldError>
      {options.map(([value, text]) => (
        <label key={value} className="flex min-h-12 cursor-pointer items-center gap-3">
          <input
            type="radio"
            name={name}
            value={value}
            defaultChecked={value === initial}
            required
            className="size-5 shrink-0 accent-primary"
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
