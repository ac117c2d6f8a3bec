import type { ComponentProps } from 'react';

type Variant = 'solid' | 'dashed';

const variants: Record<Variant, string> = {
  solid: 'overflow-hidden border-line bg-surface',
  /** A card with a message that replaces missing content. */
  dashed: 'border-dashed border-control',
};

interface CardProps extends ComponentProps<'article'> {
  variant?: Variant;
}

export function Card({ variant = 'solid', className = '', ...rest }: CardProps) {
  return <article {...rest} className={`rounded-card border-2 ${variants[variant]} ${className}`} />;
}
