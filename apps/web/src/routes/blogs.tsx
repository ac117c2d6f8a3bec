import { useState } from 'react';
import { type Post, posts } from '../features/blog/posts.tsx';
import { focusNeighborOnRemoval } from '../lib/focus.ts';
import { useHydrated } from '../lib/page-context.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';

const text = {
  name: 'Blogs',
  description: 'Answers to common questions about SQL, Node, JavaScript and JWTs, from the developers of this site.',
  lead: 'Answers to common questions about web development, from the developers of this site.',
  details: 'Read the answer',
  about: (heading: string) => `Read the answer: ${heading}`,
};

export function Component() {
  const [open, setOpen] = useState<Post>();
  return (
    <div className="column grid gap-8 pt-8 md:pt-12">
      <PageHead name={text.name} listed={{ path: '/blogs', description: text.description }} />
      <PageHeader title={text.name} intro={text.lead} />
      <ol className="grid gap-6 md:grid-cols-2">
        {posts.map((post, index) => (
          <li key={post.slug} className="grid">
            <article className="torn flex flex-col gap-4 bg-surface px-4 pt-4 md:px-6 md:pt-6">
              <p aria-hidden="true" className="text-figure text-control tabular-nums">
                {index + 1}
              </p>
              <h2 className="text-section">{post.heading}</h2>
              <p className="measure">{post.lead}</p>
              <div className="tear-line mt-auto pt-4 pb-2">
                <Answer post={post} onOpen={() => setOpen(post)} />
              </div>
            </article>
          </li>
        ))}
      </ol>
      {open && (
        <Dialog title={open.heading} onClose={() => setOpen(undefined)}>
          <div className="grid gap-4 [&>p]:measure">{open.body}</div>
        </Dialog>
      )}
    </div>
  );
}

/**
 * A button that opens the answer in a dialog. Until hydration, a `<details>` element is shown instead of the button, because
 * it works without JavaScript. If the reader opens this element before hydration, the button does not replace it.
 */
function Answer({ post, onOpen }: { post: Post; onOpen: () => void }) {
  const hydrated = useHydrated();
  const [isExpanded, setIsExpanded] = useState(false);
  if (hydrated && !isExpanded)
    return (
      <Button tone="quiet" aria-label={text.about(post.heading)} onClick={onOpen}>
        {text.details}
      </Button>
    );
  return (
    // The browser adds the attribute `open` if the reader opens the element before hydration. React would report this as a
    // hydration mismatch.
    <details
      ref={(details) => {
        if (details?.open) setIsExpanded(true);
        return focusNeighborOnRemoval(details);
      }}
      suppressHydrationWarning
    >
      <summary aria-label={text.about(post.heading)} className="button button-quiet">
        {text.details}
      </summary>
      <div className="grid gap-4 py-4 [&>p]:measure">{post.body}</div>
    </details>
  );
}
