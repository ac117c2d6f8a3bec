import type { ReactNode } from 'react';

export function AccountSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-4 border-dashed border-control py-8 not-first:border-t-2 md:grid-cols-[1fr_2fr] md:gap-12">
      <h2 className="text-section">{title}</h2>
      <div className="grid max-w-130 content-start gap-4">{children}</div>
    </section>
  );
}
