import type { ReactNode } from 'react';
import { Scene } from './scene.tsx';
import { Section } from './section.tsx';

export interface Passage {
  title: string;
  body: readonly string[];
  points?: readonly string[];
}

interface ReadingPageProps {
  title: string;
  lead: string;
  /** The URL of a decorative picture. */
  picture: string;
  passages: readonly Passage[];
  /** Links below the text. */
  children?: ReactNode;
}

export function ReadingPage({ title, lead, picture, passages, children }: ReadingPageProps) {
  return (
    <article className="column grid gap-8 py-8 md:gap-12 md:py-12">
      <header className="grid items-center gap-6 md:grid-cols-[3fr_2fr] md:gap-12">
        <div className="grid gap-4">
          <h1 className="text-heading">{title}</h1>
          <p className="measure text-title font-normal text-muted">{lead}</p>
        </div>
        <Scene
          src={picture}
          width={400}
          height={300}
          variant="framed"
          className="aspect-4/3 object-cover object-right max-md:order-first max-md:aspect-video"
        />
      </header>
      <div className="border-t-4 border-ink">
        {passages.map(({ title, body, points }) => (
          <Section key={title} variant="text" title={title}>
            {body.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {points && (
              <ul className="grid list-disc gap-2 pl-6">
                {points.map((point) => (
                  <li key={point}>{point}</li>
                ))}
              </ul>
            )}
          </Section>
        ))}
      </div>
      {children && <div className="flex flex-wrap gap-4">{children}</div>}
    </article>
  );
}
