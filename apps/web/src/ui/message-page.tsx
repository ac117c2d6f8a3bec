import type { ComponentProps, ReactNode } from 'react';
import { Page } from './page.tsx';
import { PageHead } from './page-head.tsx';
import { PageState } from './page-state.tsx';

interface MessagePageProps extends Omit<ComponentProps<typeof PageState>, 'level'> {
  /** The name of the page in its title. */
  name: string;
  below?: ReactNode;
}

/** A page that is only a message with links or buttons. */
export function MessagePage({ name, below, ...message }: MessagePageProps) {
  return (
    <Page layout="message">
      <PageHead name={name} />
      <PageState level={1} {...message} />
      {below}
    </Page>
  );
}
