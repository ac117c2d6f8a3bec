import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { PageState } from '../../ui/page-state.tsx';

const text = {
  name: 'Not Found',
  title: 'This service is not listed',
  body: 'It may have been removed, or the link is mistyped.',
  action: 'See all services',
};

/** The page for a service that does not exist. */
export function UnlistedService() {
  return (
    <Page layout="message">
      <PageHead name={text.name} />
      <PageState
        level={1}
        picture="/pictures/placeholder.svg"
        title={text.title}
        action={<ButtonLink to="/services">{text.action}</ButtonLink>}
      >
        <p>{text.body}</p>
      </PageState>
    </Page>
  );
}
