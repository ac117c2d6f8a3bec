import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { commonText } from '../../ui/texts.ts';
import { serviceText } from './texts.ts';

const text = { body: 'It may have been removed, or the link is mistyped.' };

/** The page of a service that does not exist or is not listed. `below` is shown under the message. */
export function UnlistedService({ below }: { below?: ReactNode }) {
  return (
    <MessagePage
      name={commonText.notFound}
      picture="/pictures/placeholder.svg"
      title={serviceText.unlisted}
      action={<ButtonLink to="/services">{serviceText.seeAll}</ButtonLink>}
      below={below}
    >
      <p>{text.body}</p>
    </MessagePage>
  );
}
