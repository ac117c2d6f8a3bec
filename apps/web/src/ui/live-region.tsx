import type { ReactNode } from 'react';

type Variant = 'visible' | 'collapsible' | 'hidden';

const variants: Record<Variant, string> = {
  visible: '',
  /** A live region that takes no space in a grid while it is empty. */
  collapsible: 'empty:absolute',
  /** A live region that is only for screen readers. */
  hidden: 'sr-only',
};

interface LiveRegionProps {
  variant?: Variant;
  className?: string;
  children?: ReactNode;
}

/**
 * A polite live region. A screen reader announces only changes of an existing region, so render the region before its text.
 */
export function LiveRegion({ variant = 'visible', className = '', children }: LiveRegionProps) {
  return (
    <div role="status" className={`${variants[variant]} ${className}`}>
      {children}
    </div>
  );
}
