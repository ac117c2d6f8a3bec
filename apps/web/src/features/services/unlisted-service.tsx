import { ButtonLink } from '../../ui/button.tsx';
import { MessagePage } from '../../ui/message-page.tsx';

const text = {
  name: 'Not Found',
  title: 'This service is not listed',
  body: 'It may have been removed, or the link is mistyped.',
  action: 'See all services',
};

export function UnlistedService() {
  return (
    <MessagePage
      name={text.name}
      picture="/pictures/placeholder.svg"
      title={text.title}
      action={<ButtonLink to="/services">{text.action}</ButtonLink>}
    >
      <p>{text.body}</p>
    </MessagePage>
  );
}
