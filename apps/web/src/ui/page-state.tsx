import { type ReactNode, useEffect, useState } from 'react';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { Button } from './button.tsx';
import { LiveRegion } from './live-region.tsx';
import { NeedsScript } from './needs-script.tsx';
import { Scene } from './scene.tsx';
import { commonText } from './texts.ts';

const text = { slow: 'Still connecting…' };

interface PageStateProps {
  /** The URL of a decorative picture. */
  picture?: string;
  title: ReactNode;
  /** The level of the heading. It is 1 if the page has no other content. */
  level?: 1 | 2 | 3;
  children?: ReactNode;
  /** A link or button with which the customer can continue. */
  action?: ReactNode;
}

/** A message that replaces missing content: the content is empty, does not exist, or failed to load. */
export function PageState({ picture, title, level = 2, children, action }: PageStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div
      ref={focusHeadingOnRemoval}
      className="tiled flex flex-col items-center gap-6 rounded-card border-2 border-dashed border-control p-4 sm:flex-row sm:flex-wrap sm:gap-8 sm:p-6"
    >
      {picture && (
        <Scene src={picture} width={240} height={180} className="w-60 shrink-0 rounded-drawn border-4 border-drawn" />
      )}
      <div className="grid w-full min-w-0 grid-cols-[minmax(0,1fr)] justify-items-center gap-3 text-center sm:w-auto sm:flex-1 sm:basis-64 sm:justify-items-start sm:text-left">
        <Heading className={`wrap-anywhere ${level === 1 ? 'text-heading' : 'text-section'}`}>{title}</Heading>
        {children && <div className="measure w-full text-muted">{children}</div>}
        {action}
      </div>
    </div>
  );
}

const slowLoadingMs = 8000;

/**
 * The loading state of a page. It shows progress bars, and a retry button after 8 seconds. Without JavaScript, it shows a
 * text that says that the page needs JavaScript.
 */
export function ProgressBars({ label = commonText.loading }: { label?: string }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), slowLoadingMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <div ref={focusHeadingOnRemoval} className="column grid gap-4 py-18 noscript:hidden">
        <progress className="duct-bar" aria-label={label} />
        <progress className="duct-bar w-4/5" aria-hidden="true" />
        <progress className="duct-bar w-3/5" aria-hidden="true" />
        <LiveRegion className="flex min-h-12 items-center gap-4">
          {isSlow && <p>{text.slow}</p>}
          {isSlow && (
            <Button tone="quiet" onClick={() => location.reload()}>
              {commonText.retry}
            </Button>
          )}
        </LiveRegion>
      </div>
      <div className="column not-noscript:hidden py-18">
        <NeedsScript what="page" />
      </div>
    </>
  );
}
