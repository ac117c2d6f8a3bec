import type { ComponentProps, ReactNode } from 'react';
import { Page } from './page.tsx';
import { PageHead } from './page-head.tsx';
import { PageState } from './page-state.tsx';

interface MessagePageProps extends Omit<ComponentProps<typeof PageState>, 'level'> {
  name: string;
  below?: ReactNode;
}

export function MessagePage({ name, below, ...message }: MessagePageProps) {
  return (
    <Page layout="message">
      <PageHead name={name} />
      <PageState level={1} {...message} />
      {below}
    </Page>
  );
}
