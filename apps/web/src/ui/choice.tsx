import { useId } from 'react';
import { Icon } from './icon.tsx';

interface ChoiceProps<T extends string> {
  label: string;
  value: T;
  /** What each value is called, in the order shown. */
  options: Record<T, string>;
  onChoose: (value: T) => void;
}

/** One of a few, from a list that opens. */
export function Choice<T extends string>({ label, value, options, onChoose }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div data-screen-only className="flex items-center gap-3">
      <label htmlFor={id} className="text-small whitespace-nowrap text-muted max-sm:sr-only">
        {label}
      </label>
      <span className="relative">
        <select
          id={id}
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
    </div>
  );
}
