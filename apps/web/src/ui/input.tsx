import type { ComponentProps } from 'react';

const inputClass =
  'outlined block min-h-12 w-full py-2 pl-3 text-body placeholder:text-muted read-only:bg-sunken read-only:text-muted aria-invalid:border-error';

type Props<E extends 'input' | 'textarea'> = Omit<ComponentProps<E>, 'className'>;

interface InputProps extends Props<'input'> {
  /** Whether to leave space for a button at the right edge. */
  hasButton?: boolean;
}

/** A text input without a label. In forms, use `Field` instead. */
export function Input({ hasButton = false, ...rest }: InputProps) {
  return <input {...rest} className={`${inputClass} ${hasButton ? 'pr-13' : 'pr-3'}`} />;
}

/** A text area. It grows with its content in browsers that support the CSS property `field-sizing`. */
export function TextArea(props: Props<'textarea'>) {
  return <textarea rows={5} {...props} className={`${inputClass} field-sizing-content min-h-36 pr-3`} />;
}
