import type { ComponentProps } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { useFormPending } from './form.tsx';

export type Tone = 'primary' | 'quiet' | 'danger' | 'hero';

const tones: Record<Tone, string> = {
  primary: 'plate plate-primary',
  hero: 'plate plate-hero',
  quiet: 'plate plate-quiet',
  danger: 'plate plate-quiet text-error',
};

interface ButtonProps extends ComponentProps<'button'> {
  tone?: Tone;
  /**
   * While what it started is under way: the label stays, air runs along its edge, and pressing does nothing. A submit
   * button is also pending while its form is.
   */
  pending?: boolean;
}

export function Button({
  tone = 'primary',
  pending: startedPending = false,
  className = '',
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const formPending = useFormPending();
  const pending = startedPending || (rest.type === 'submit' && formPending);
  return (
    <button
      type="button"
      {...rest}
      className={`${tones[tone]} ${className}`}
      aria-disabled={pending || rest['aria-disabled']}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
      {pending && <span className="air absolute inset-x-0 bottom-0 h-[3px]" />}
    </button>
  );
}

/** A link that is the thing to do next. */
export function ButtonLink({ tone = 'primary', className = '', ...rest }: LinkProps & { tone?: Tone }) {
  return <Link {...rest} className={`${tones[tone]} ${className}`} />;
}

/** A square button with an icon; `label` is its name and its tooltip. */
export function IconButton({
  label,
  className = '',
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & { label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={`inline-grid size-12 shrink-0 place-items-center rounded-control transition-colors ${className}`}
    />
  );
}
