import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Scene } from '../ui/scene.tsx';
import { commonText } from '../ui/texts.ts';

const text = {
  title: 'This page isn’t on the menu',
  body: 'The address may be mistyped, or the page has moved.',
};

export function NotFound() {
  return (
    <div className="column grid items-center gap-8 py-12 md:grid-cols-2 md:gap-12">
      <PageHead name={commonText.notFound} />
      <Scene src="/pictures/not-found.svg" width={400} height={300} variant="framed" />
      <div className="grid justify-items-start gap-4">
        <h1 className="text-display">{text.title}</h1>
        <p className="measure text-muted">{text.body}</p>
        <ButtonLink to="/">{commonText.goHome}</ButtonLink>
      </div>
    </div>
  );
}
