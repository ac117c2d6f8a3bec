import { ButtonLink } from '../../ui/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';
import { commonText } from '../../ui/texts.ts';
import { serviceText } from './texts.ts';

const text = { body: 'It may have been removed, or the link is mistyped.' };

export function UnlistedService() {
  return (
    <MessagePage
      name={commonText.notFound}
      picture="/pictures/placeholder.svg"
      title={serviceText.unlisted}
      action={<ButtonLink to="/services">{serviceText.seeAll}</ButtonLink>}
    >
      <p>{text.body}</p>
    </MessagePage>
  );
}
