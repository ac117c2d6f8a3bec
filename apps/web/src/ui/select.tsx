import type { ComponentProps } from 'react';
import { Icon } from './icon.tsx';

interface SelectProps extends Omit<ComponentProps<'select'>, 'children' | 'className'> {
  /** The text of each value. The options are shown in this order. */
  options: Partial<Record<string, string>>;
}

export function Select({ options, ...rest }: SelectProps) {
  return (
    <span className="relative">
      <select {...rest} className="outlined h-12 w-full appearance-none pr-8 pl-3 font-semibold hover:border-ink">
        {Object.entries(options).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-y-0 right-2 grid place-items-center text-ink">
        <Icon name="down" size={20} />
      </span>
    </span>
  );
}
