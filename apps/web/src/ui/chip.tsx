import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';

type Shape = 'chip' | 'row';

const shapes: Record<Shape, string> = {
  chip: 'outlined inline-flex max-w-full gap-2 px-4 hover:border-ink aria-[current=true]:border-primary',
  /** A row of a table with a label, a bar and a number. */
  row: 'grid grid-cols-[minmax(auto,4.5rem)_1fr_minmax(auto,3rem)] gap-3 px-3 text-small tabular-nums hover:bg-sunken',
};

interface FilterLinkProps extends Omit<ComponentProps<typeof Link>, 'className'> {
  shape?: Shape;
  isCurrent: boolean;
}

export function FilterLink({ shape = 'chip', isCurrent, ...rest }: FilterLinkProps) {
  return (
    <Link
      preventScrollReset
      {...rest}
      aria-current={isCurrent}
      className={`min-h-12 items-center rounded-control font-semibold aria-[current=true]:bg-tint aria-[current=true]:text-primary ${shapes[shape]}`}
    />
  );
}

type Tone = 'primary' | 'ink' | 'quiet';

const tones: Record<Tone, string> = {
  primary: 'bg-primary text-on-primary',
  ink: 'bg-ink text-page',
  quiet: 'bg-sunken text-ink',
};

export function Chip({ tone = 'quiet', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`justify-self-start rounded-drawn px-2 text-small font-semibold ${tones[tone]}`}>{children}</span>
  );
}
