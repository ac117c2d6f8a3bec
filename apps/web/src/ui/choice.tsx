import { useId } from 'react';
import { Button } from './button.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { Icon } from './icon.tsx';

const text = { apply: 'Apply' };

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  /** What each value is called, in the order shown. */
  options: Record<T, string>;
  onChoose: (value: T) => void;
  /** The page that answers `?<name>=<value>`, for browsers without JavaScript. */
  action: string;
  name: string;
  /** Other parameters that the choice keeps. */
  keep: Record<string, string>;
}

/** One of a few, from a list that opens. */
export function Choice<T extends string>({ label, value, options, onChoose, action, name, keep }: ChoiceProps<T>) {
  const id = useId();
  return (
    // oxlint-disable-next-line react/forbid-elements -- a choice changes nothing, so it may be sent again
    <form action={action} data-screen-only className="flex items-center gap-3">
      <label htmlFor={id} className="text-small whitespace-nowrap text-muted max-sm:sr-only">
        {label}
      </label>
      <span className="relative">
        <select
          id={id}
          name={name}
          value={value}
          onChange={({ target }) => onChoose(target.value as T)}
          className="h-12 appearance-none rounded-control border-2 border-control bg-surface pr-8 pl-3 font-semibold text-ink hover:border-ink"
        >
          {Object.entries<string>(options).map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </select>
        <span className="pointer-events-none absolute inset-y-0 right-2 grid place-items-center text-ink">
          <Icon name="down" size={20} />
        </span>
      </span>
      <HiddenFields values={keep} />
      <Button type="submit" tone="quiet" className="not-noscript:hidden">
        {text.apply}
      </Button>
    </form>
  );
}
