import type { ReactNode } from 'react';

type Layout = 'message' | 'stack' | 'list' | 'form';

const layouts: Record<Layout, string> = {
  /** One message that takes the place of the page. */
  message: 'py-12',
  stack: 'grid gap-6 py-8 md:py-12',
  /** Its rows end where the footer begins. */
  list: 'grid gap-6 pt-8 md:pt-12',
  /** A summary beside a form, above it on a phone. */
  form: 'grid gap-6 py-8 md:grid-cols-[minmax(0,20rem)_minmax(0,32.5rem)] md:gap-12 md:py-12',
};

/** The content of a page, in the page column. */
export function Page({ layout = 'stack', children }: { layout?: Layout; children: ReactNode }) {
  return <div className={`column ${layouts[layout]}`}>{children}</div>;
}

/** The heading of a page, with a sentence about it. */
export function PageHeader({ title, intro }: { title: string; intro: string }) {
  return (
    <header className="grid gap-2">
      <h1 className="text-heading">{title}</h1>
      <p className="measure text-muted">{intro}</p>
    </header>
  );
}

/** A heading with a control opposite it, below it on a narrow screen. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center justify-between gap-4">{children}</div>;
}
