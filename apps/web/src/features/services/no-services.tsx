import { useLocation } from 'react-router-dom';
import { ButtonLink } from '../../ui/button.tsx';
import { PageState } from '../../ui/page-state.tsx';

const text = { title: 'No services yet', body: 'Be the first to list one.', action: 'Add Service' };

/** A message that is shown if there are no services at all. */
export function NoServices({ level }: { level: 2 | 3 }) {
  const from = useLocation();
  return (
    <PageState
      level={level}
      picture="/pictures/placeholder.svg"
      title={text.title}
      action={
        <ButtonLink to="/addservices" state={{ from }}>
          {text.action}
        </ButtonLink>
      }
    >
      <p>{text.body}</p>
    </PageState>
  );
}
