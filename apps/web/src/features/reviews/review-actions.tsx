import { anchorOfReview, type Review } from '@rtr/shared';
import type { MouseEvent, ReactNode } from 'react';
import { useFetcher, useLocation, useNavigate } from 'react-router-dom';
import { intentState, useIntent } from '../../lib/intent.ts';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorText } from '../../ui/error-text.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { VoteOutcome } from './vote.ts';

const text = {
  useful: (count: number) => `Useful (${count})`,
  of: (name: string) => `, ${name}`,
  found: (count: number) => `${count === 1 ? '1 customer' : `${count} customers`} found this useful`,
};

/**
 * Whether the reader of a review is a visitor or a customer. 'unknown' until the auth state and the customer's own reviews
 * are known.
 */
export type Reader = 'unknown' | 'visitor' | 'customer';

interface ReviewActionsProps {
  review: Review;
  /** The name of the review for screen readers, such as 'the review by Amira, 11/3/2026'. */
  name: string;
  reader: Reader;
  /** Additional buttons in the row. */
  children: ReactNode;
}

/** The row of buttons below a review, for readers who are not its author. */
export function ReviewActions({ review, name, reader, children }: ReviewActionsProps) {
  const fetcher = useFetcher<VoteOutcome>();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const [send, isSending] = useSingleFlight((useful: boolean) =>
    fetcher.submit({ intent: 'vote', id: review._id, useful: String(useful) }, { method: 'post' }),
  );
  const requested = fetcher.state === 'submitting' ? fetcher.formData?.get('useful') : undefined;
  const { usefulCount, isUsefulToMe } = withVote(review, requested);
  const intent = `useful ${review._id}`;
  useIntent(intent, reader === 'customer', () => void send(true));
  const toggle = ({ detail }: MouseEvent) => {
    // The second click of a double click must not remove the vote.
    if (detail > 1) return;
    if (reader === 'customer') void send(!isUsefulToMe);
    // After the login, the customer returns to this review, and the vote is cast.
    const from = { pathname, search, hash: `#${anchorOfReview(review._id)}`, state: intentState(intent) };
    if (reader === 'visitor') void navigate('/login', { state: { from } });
  };
  return (
    <div className="grid gap-2 pt-4">
      <div className="flex flex-wrap items-center gap-3 noscript:hidden print:hidden">
        <Button
          tone="quiet"
          aria-pressed={isUsefulToMe}
          aria-disabled={reader === 'unknown' || isSending}
          onClick={toggle}
          className="tabular-nums aria-pressed:border-primary aria-pressed:bg-tint aria-pressed:text-primary aria-pressed:[&_path]:fill-current"
        >
          <Icon name="thumb" />
          <span>
            {text.useful(usefulCount)}
            <span className="sr-only">{text.of(name)}</span>
          </span>
        </Button>
        {children}
      </div>
      <div className="not-noscript:not-print:hidden">
        <UsefulCount review={review} />
      </div>
      {fetcher.state !== 'submitting' && fetcher.data?.error && <ErrorText>{fetcher.data.error}</ErrorText>}
    </div>
  );
}

/** The number of customers who found a review useful. Renders nothing for zero. */
export function UsefulCount({ review: { usefulCount } }: { review: Review }) {
  return usefulCount > 0 && <p className="text-small text-muted tabular-nums">{text.found(usefulCount)}</p>;
}

/** Returns the number of votes and the customer's own vote, including a vote that is being sent. */
function withVote(
  { usefulCount, isUsefulToMe = false }: Pick<Review, 'usefulCount' | 'isUsefulToMe'>,
  requested: FormDataEntryValue | null | undefined,
) {
  const isUseful = requested ? requested === 'true' : isUsefulToMe;
  return { usefulCount: usefulCount + Number(isUseful) - Number(isUsefulToMe), isUsefulToMe: isUseful };
}
