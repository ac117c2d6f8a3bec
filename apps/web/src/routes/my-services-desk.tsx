import { addressOfRequest, type Conversation, limits, type OwnService, titleOf } from '@rtr/shared';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { requestsQuery } from '../features/requests/queries.ts';
import { nameOf, requestText } from '../features/requests/texts.ts';
import { ageOf } from '../lib/age.ts';
import { useRefetchOnNews } from '../lib/new-count.ts';
import { useNow } from '../lib/now.tsx';
import { Section } from '../ui/section.tsx';

const text = {
  title: 'Waiting for your answer',
  asks: ' asks about ',
  requestsFailed: 'Your requests did not load. You can try again on the page Requests.',
  reviews: (count: number) => `${countOf(count)} ${count === 1 ? 'review' : 'reviews'} of `,
  unanswered: (count: number) => `${countOf(count)} without a reply`,
  unansweredOf: (count: string, service: string) => `${count}: reviews of ${service}`,
};

/** The API counts only up to `maxUnansweredCount`. */
const countOf = (count: number) => (count < limits.maxUnansweredCount ? String(count) : `${count - 1}+`);

interface DeskProps {
  /** The loaded services of the lister. */
  services: readonly OwnService[];
  query: ReturnType<typeof requestsQuery>;
}

/** The requests and reviews that wait for an answer of the lister, over all services. Renders nothing if there are none. */
export function Desk({ services, query }: DeskProps) {
  const now = useNow();
  // Requests on later pages are older. The page Requests shows them.
  const { data, isError, refetch } = useInfiniteQuery(query);
  useRefetchOnNews(() => void refetch({ cancelRefetch: false }));
  const requests = data?.pages[0]?.rows.filter(isUnanswered) ?? [];
  const reviewed = services.filter(({ unansweredCount, hidden }) => unansweredCount > 0 && !hidden);
  if (requests.length + reviewed.length === 0 && !isError) return null;
  return (
    <Section title={text.title}>
      <ul className="grid gap-3 empty:hidden">
        {requests.map(({ _id, other, serviceTitle, lastMessage }) => (
          <li key={_id}>
            <Link to={addressOfRequest(_id)} className="link wrap-anywhere">
              <bdi>{nameOf(other)}</bdi>
              {text.asks}
              <bdi>{titleOf({ title: serviceTitle })}</bdi>
            </Link>
            <span className="text-small text-muted"> · {ageOf(lastMessage.createdAt, now)}</span>
          </li>
        ))}
        {reviewed.map((service) => (
          <li key={service._id}>
            <Link to={unansweredAddressOf(service)} className="link wrap-anywhere">
              {text.reviews(service.unansweredCount)}
              <bdi>{titleOf(service)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
      {isError && <p>{text.requestsFailed}</p>}
      <Link to="/requests" className="link justify-self-start">
        {requestText.seeYours}
      </Link>
    </Section>
  );
}

const isUnanswered = ({ role, status, other, lastMessage }: Conversation) =>
  role === 'lister' && status === 'open' && !other.isClosed && !lastMessage.isOwn;

/** A link to the reviews of the service. Reviews without a reply come first. */
export function UnansweredLink({ service }: { service: OwnService }) {
  const unanswered = text.unanswered(service.unansweredCount);
  return (
    <Link
      to={unansweredAddressOf(service)}
      aria-label={text.unansweredOf(unanswered, titleOf(service))}
      className="link justify-self-start tabular-nums"
    >
      {unanswered}
    </Link>
  );
}

const unansweredAddressOf = ({ _id }: OwnService) => `/services/${_id}?sort=unanswered#reviews`;
