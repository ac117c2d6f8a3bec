import { useId } from 'react';
import { Button } from './button.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { Select } from './select.tsx';

const text = { apply: 'Apply' };

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  /** The text of each value. The options are shown in this order. */
  options: Partial<Record<T, string>>;
  onChoose: (value: T) => void;
  /** The path that the form opens without JavaScript. Its query is `?<name>=<value>`. */
  action: string;
  name: string;
  /** The query parameters of the current address that the form also sends. */
  keep: Record<string, string>;
}

/** A select element with a label. A new choice takes effect at once. Without JavaScript, the form has a submit button. */
export function Choice<T extends string>({ label, value, options, onChoose, action, name, keep }: ChoiceProps<T>) {
  const id = useId();
  return (
    // oxlint-disable-next-line react/forbid-elements -- a choice changes no data, so it may be sent twice
    <form action={action} data-screen-only className="flex items-center gap-3">
      <label htmlFor={id} className="text-small whitespace-nowrap text-muted max-sm:sr-only">
        {label}
      </label>
      <Select
        id={id}
        name={name}
        value={value}
        options={options}
        onChange={({ target }) => onChoose(target.value as T)}
      />
      <HiddenFields values={keep} />
      <Button type="submit" tone="quiet" className="not-noscript:hidden">
        {text.apply}
      </Button>
    </form>
  );
}
