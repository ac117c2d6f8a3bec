import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';

/** A link that filters a list. The link of the current filter is marked. */
export function ChipLink({
  isCurrent,
  ...rest
}: Omit<ComponentProps<typeof Link>, 'className'> & { isCurrent: boolean }) {
  return (
    <Link
      {...rest}
      aria-current={isCurrent}
      className="inline-flex min-h-12 items-center gap-2 rounded-control border-2 border-control bg-surface px-4 font-semibold whitespace-nowrap text-ink hover:border-ink aria-[current=true]:border-primary aria-[current=true]:bg-tint aria-[current=true]:text-primary"
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
