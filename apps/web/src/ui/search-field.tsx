import { limits } from '@rtr/shared';
import { useId } from 'react';
// oxlint-disable-next-line no-restricted-imports -- a search changes no data, so it may be sent twice
import { Form } from 'react-router-dom';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { IconButton } from './button.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { Icon } from './icon.tsx';
import { Input } from './input.tsx';

interface SearchFieldProps {
  label: string;
  /** The path of the page with the results. It receives the search as `?q=`. */
  action: string;
  value: string;
  /** Other query parameters, which the form sends too. */
  keep?: Record<string, string>;
  /**
   * The keyboard shortcut that focuses the field, such as '/'. It is only announced here. Another component handles the key.
   */
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
      <Input
        hasButton
        // With this key, React replaces the field after each search. The focus then moves to the heading of the results.
        key={value}
        ref={focusHeadingOnRemoval}
        id={id}
        type="search"
        name="q"
        defaultValue={value}
        maxLength={limits.searchLength}
        placeholder={label}
        enterKeyHint="search"
        aria-keyshortcuts={shortcut}
      />
      <HiddenFields values={keep} />
      <IconButton label={label} variant="inField" type="submit">
        <Icon name="search" />
      </IconButton>
    </Form>
  );
}
