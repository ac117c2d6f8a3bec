import { limits, type OwnReport } from '@rtr/shared';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { ageOf } from '../../lib/age.ts';
import { useNow } from '../../lib/now.tsx';
import { useFirstLoad } from '../../lib/use-first-load.ts';
import { LiveRegion } from '../../ui/live-region.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { RetryAlert } from '../../ui/retry-alert.tsx';
import type { ownReportsQuery } from './queries.ts';
import { partNames, reasonNames } from './texts.ts';

const text = {
  loading: 'Loading reports…',
  failed: 'Your reports did not load',
  moreFailed: 'We could not load more reports.',
  none: 'You have not reported anything. To report a review, a service or a message, use “Report” on its page.',
  by: (author: string) => `By ${author}`,
  listedBy: (lister: string) => `Listed by ${lister}`,
  reviewOf: (service: string) => `Review of ${service}`,
  messageAbout: (service: string) => `Message about ${service}`,
  outcomes: {
    open: 'A moderator has not decided yet.',
    kept: 'A moderator has read your report. The content stays on the site.',
    hidden: {
      review: 'A moderator has hidden the review.',
      reply: 'A moderator has hidden the reply.',
      picture: 'A moderator has removed the pictures.',
      service: 'A moderator has hidden the service.',
      message: 'A moderator has hidden the message.',
    },
  },
};

interface OwnReportsProps {
  query: ReturnType<typeof ownReportsQuery>;
  addressOf: (target: OwnReport['target']) => string;
}

/** The reports that the customer has sent, each with the decision of a moderator. */
export function OwnReports({ query, addressOf }: OwnReportsProps) {
  const now = useNow();
  const list = useInfiniteQuery(query);
  const { hasFailed, retry, announcement } = useFirstLoad(list, text);
  if (hasFailed)
    return (
      <>
        <LiveRegion variant="hidden">{announcement}</LiveRegion>
        <RetryAlert title={text.failed} level={3} pending={list.isFetching} onRetry={retry} />
      </>
    );
  if (!list.data) return <p className="text-muted">{text.loading}</p>;
  const reports = list.data.pages.flatMap((page) => page.rows);
  if (reports.length === 0) return <p className="text-muted">{text.none}</p>;
  return (
    <>
      <ul className="grid gap-4">
        {reports.map((report) => (
          <li key={report.target.id} className="grid gap-1">
            <p className="font-semibold wrap-anywhere">
              {hasPublicPage(report) ? (
                <Link to={addressOf(report.target)} className="link">
                  {nameOf(report)}
                </Link>
              ) : (
                nameOf(report)
              )}
            </p>
            <Excerpt target={report.target} />
            <p className="text-small text-muted">
              {[partNames[report.about], reasonNames[report.reason], ageOf(report.createdAt, now)].join(' · ')}
            </p>
            <p>{outcomeOf(report)}</p>
          </li>
        ))}
      </ul>
      {list.hasNextPage && <LoadMore list={list} failure={text.moreFailed} />}
    </>
  );
}

/** The author and the first words of the reported content. */
function Excerpt({ target: { kind, author, excerpt } }: Pick<OwnReport, 'target'>) {
  if (!author && !excerpt) return null;
  return (
    <p className="wrap-anywhere">
      {author && <bdi>{kind === 'service' ? text.listedBy(author) : text.by(author)}</bdi>}
      {excerpt && (
        <q className="pl-2 text-muted">{Array.from(excerpt).length < limits.excerptLength ? excerpt : `${excerpt}…`}</q>
      )}
    </p>
  );
}

function nameOf({ target: { kind, title } }: OwnReport): string {
  if (kind === 'service') return title;
  return kind === 'review' ? text.reviewOf(title) : text.messageAbout(title);
}

/** Returns false for a message, and if the whole review or service is hidden. */
const hasPublicPage = ({ target, hiddenPart }: OwnReport) =>
  target.kind !== 'message' && hiddenPart !== 'review' && hiddenPart !== 'service';

function outcomeOf({ status, outcome, hiddenPart, target }: OwnReport): string {
  if (status === 'open') return text.outcomes.open;
  return outcome === 'hidden' ? text.outcomes.hidden[hiddenPart ?? target.kind] : text.outcomes.kept;
}
