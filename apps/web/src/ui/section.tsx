import type { ReactNode } from 'react';

type Variant = 'controls' | 'text';

const variants: Record<Variant, { section: string; heading: string; content: string }> = {
  controls: { section: 'gap-4 py-8', heading: 'text-section', content: 'max-w-130 content-start gap-4' },
  text: { section: 'gap-3 py-6 md:py-8', heading: 'text-title', content: 'measure gap-3' },
};

interface SectionProps {
  variant?: Variant;
  id?: string;
  title: string;
  children: ReactNode;
}

/** A section whose heading is at its left side, or above the content on a phone. A dashed line separates sections. */
export function Section({ variant = 'controls', id, title, children }: SectionProps) {
  const { section, heading, content } = variants[variant];
  return (
    <section
      id={id}
      className={`grid border-dashed border-control not-first:border-t-2 md:grid-cols-[1fr_2fr] md:gap-12 ${section}`}
    >
      <h2 className={heading}>{title}</h2>
      <div className={`grid ${content}`}>{children}</div>
    </section>
  );
}
