import type { ReactNode } from 'react';

type Layout = 'message' | 'stack' | 'list' | 'form';

const layouts: Record<Layout, string> = {
  message: 'py-12',
  stack: 'grid gap-6 py-8 md:py-12',
  /** A page that ends with a list. The page has no padding at the bottom, so that the list touches the footer. */
  list: 'grid gap-6 pt-8 md:pt-12',
  /** A page with a form and a summary, which is beside the form, or above it on a phone. */
  form: 'grid gap-4 pt-4 pb-8 md:grid-cols-[minmax(0,20rem)_minmax(0,32.5rem)] md:gap-12 md:py-12',
};

export function Page({ layout = 'stack', children }: { layout?: Layout; children: ReactNode }) {
  return <div className={`column ${layouts[layout]}`}>{children}</div>;
}

export function PageHeader({ title, intro }: { title: string; intro: ReactNode }) {
  return (
    <header className="grid gap-2">
      <h1 className="text-heading wrap-anywhere">{title}</h1>
      <p className="measure wrap-anywhere text-muted">{intro}</p>
    </header>
  );
}

/** A heading with a control at the right end of its line. On a narrow screen, the control is below the heading. */
export function Toolbar({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center justify-between gap-4">{children}</div>;
}
