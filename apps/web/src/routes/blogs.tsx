import { useState } from 'react';
import { type Post, posts } from '../features/blog/posts.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Title } from '../ui/title.tsx';

const text = {
  name: 'Blogs',
  lead: 'Four questions from behind the pass, answered by the people who built this kitchen’s software.',
  details: 'Read the answer',
  about: (heading: string) => `Read the answer: ${heading}`,
};

export function Component() {
  const [open, setOpen] = useState<Post>();
  return (
    <div className="column grid gap-8 pt-8 md:pt-12">
      <Title name={text.name} />
      <div className="grid gap-2">
        <h1 className="text-heading">{text.name}</h1>
        <p className="measure text-muted">{text.lead}</p>
      </div>
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
                <Button tone="quiet" aria-label={text.about(post.heading)} onClick={() => setOpen(post)}>
                  {text.details}
                </Button>
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
