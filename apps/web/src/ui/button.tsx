import type { ComponentProps } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { useFormPending } from './form.tsx';
import { Icon, type IconName } from './icon.tsx';
import { ProgressStripe } from './progress-stripe.tsx';

export type Tone = 'primary' | 'quiet' | 'danger' | 'hero';

const tones: Record<Tone, string> = {
  primary: 'button button-primary',
  hero: 'button button-hero',
  quiet: 'button button-quiet',
  danger: 'button button-quiet text-error',
};

type Size = 'normal' | 'compact';

const sizes: Record<Size, string> = {
  normal: '',
  /** The size of a button in a table. */
  compact: 'as-table:px-3',
};

/** The classes of a label that disappears in a narrow table, where the button shows only its icon. */
export const compactLabel = 'as-table:max-[72rem]:sr-only';

interface Look {
  tone?: Tone | undefined;
  size?: Size | undefined;
}

const classesOf = ({ tone = 'primary', size = 'normal' }: Look, className: string) =>
  `${tones[tone]} ${sizes[size]} ${className}`;

interface ButtonProps extends ComponentProps<'button'>, Look {
  /**
   * Whether an action is pending. The button then ignores clicks and shows a progress stripe. A submit button is also
   * pending while its form is being sent.
   */
  pending?: boolean;
}

export function Button({
  tone,
  size,
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
      className={classesOf({ tone, size }, className)}
      aria-disabled={pending || rest['aria-disabled']}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {children}
      {pending && <ProgressStripe />}
    </button>
  );
}

export function ButtonLink({ tone, size, className = '', ...rest }: LinkProps & Look) {
  return <Link {...rest} className={classesOf({ tone, size }, className)} />;
}

const iconBox = 'inline-grid size-12 shrink-0 place-items-center rounded-control transition-colors';

type IconVariant = 'plain' | 'inField' | 'onPicture';

const iconVariants: Record<IconVariant, string> = {
  plain: '',
  /** The position of a button at the right end of a text field. */
  inField: 'absolute top-0 right-0 text-muted hover:text-ink aria-pressed:text-primary',
  onPicture: 'border-2 border-ink bg-surface text-ink group-hover:bg-sunken hover:bg-sunken noscript:hidden',
};

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  label: string;
  variant?: IconVariant;
}

/** A square button with an icon. `label` is its accessible name and its tooltip. */
export function IconButton({ label, variant = 'plain', className = '', ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={`${iconBox} ${iconVariants[variant]} ${className}`}
    />
  );
}

/**
 * An icon that looks like an `IconButton`. It is for a picture that is itself a button, because a button cannot contain
 * another button.
 */
export function IconBadge({ name, className }: { name: IconName; className: string }) {
  return (
    <span className={`${iconBox} ${iconVariants.onPicture} ${className}`}>
      <Icon name={name} />
    </span>
  );
}
