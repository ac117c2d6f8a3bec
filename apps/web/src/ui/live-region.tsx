import type { ReactNode } from 'react';

type Variant = 'visible' | 'collapsible' | 'hidden';

const variants: Record<Variant, string> = {
  visible: '',
  /** A region that takes no space in a grid while it is empty. */
  collapsible: 'empty:absolute',
  /** A region for screen readers only. */
  hidden: 'sr-only',
};

interface LiveRegionProps {
  variant?: Variant;
  className?: string;
  children?: ReactNode;
}

/**
 * A polite live region. Render it before its text, because a screen reader announces only changes of a region that already
 * exists.
 */
export function LiveRegion({ variant = 'visible', className = '', children }: LiveRegionProps) {
  return (
    <div role="status" className={`${variants[variant]} ${className}`}>
      {children}
    </div>
  );
}
