import { useId } from 'react';
// oxlint-disable-next-line no-restricted-imports -- a search changes nothing, so it may be sent again
import { Form } from 'react-router-dom';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { IconButton } from './button.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { Icon } from './icon.tsx';

interface SearchFieldProps {
  label: string;
  /** The page that answers `?q=`. */
  action: string;
  /** What was searched for last. */
  value: string;
  /** Other parameters that the search keeps. */
  keep?: Record<string, string>;
  /** The key that brings the focus here. */
  shortcut?: string;
  className?: string;
}

export function SearchField({ label, action, value, keep = {}, shortcut, className = '' }: SearchFieldProps) {
  const id = useId();
  return (
    <Form action={action} role="search" className={`relative ${className}`}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        // After another search the field is a new one, and the focus moves to the heading of what was found.
        key={value}
        ref={focusHeadingOnRemoval}
        id={id}
        type="search"
        name="q"
        defaultValue={value}
        maxLength={200}
        placeholder={label}
        enterKeyHint="search"
        aria-keyshortcuts={shortcut}
        className="block h-12 w-full rounded-control border-2 border-control bg-surface pr-13 pl-3 text-body text-ink placeholder:text-muted"
      />
      <HiddenFields values={keep} />
      <IconButton label={label} type="submit" className="absolute top-0 right-0 text-muted hover:text-ink">
        <Icon name="search" />
      </IconButton>
    </Form>
  );
}
