import { anchorOfReview, type ReportedPart, type Review, type ServiceDetails, titleOf } from '@rtr/shared';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LoaderFunctionArgs, useLocation, useParams, useRouteError } from 'react-router-dom';
import { useSession } from '../features/auth/session-context.ts';
import { ReportButton } from '../features/moderation/report-button.tsx';
import { ownReviewsOfServiceQuery, serviceReviewsQuery } from '../features/reviews/queries.ts';
import { reviewSearchIn } from '../features/reviews/review-search.ts';
import { ReviewsSection } from '../features/reviews/reviews-section.tsx';
import { reviewText } from '../features/reviews/texts.ts';
import { Contact, ListersFacts } from '../features/services/contact.tsx';
import { ownServiceQuery, serviceQuery } from '../features/services/queries.ts';
import { ListersRating, Rating, RatingsNote } from '../features/services/rating.tsx';
import { SaveButton } from '../features/services/save-button.tsx';
import { addViewed } from '../features/services/saved-services.ts';
import { ServiceDescription } from '../features/services/service-description.tsx';
import { SimilarServices } from '../features/services/similar.tsx';
import { previewPictureOf, serviceData, summaryOf } from '../features/services/structured-data.ts';
import { priceOf, serviceText } from '../features/services/texts.ts';
import { UnlistedService } from '../features/services/unlisted-service.tsx';
import { isNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { useHttp } from '../lib/http-context.ts';
import { useStorage } from '../lib/storage-context.ts';
import { ButtonLink, IconBadge } from '../ui/button.tsx';
import { LightboxOnDemand } from '../ui/lightbox-on-demand.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Picture } from '../ui/picture.tsx';
import { ShareButton } from '../ui/share-button.tsx';
import { RouteError } from './error.tsx';

export { reviewsSectionAction as action } from '../features/reviews/vote.ts';

const text = {
  enlarge: (title: string) => `Enlarge the picture of ${title}`,
  edit: 'Edit your service',
  addReview: 'Add Review',
  loginToAdd: 'Login for Add Review',
  ask: 'Ask',
  forPrice: 'for a price',
  description: 'About this service',
  share: (title: string) => `Share ${title}`,
};

export async function loader({ params: { id = '' }, request, context }: LoaderFunctionArgs) {
  const { http, queries } = appIn(context);
  const search = reviewSearchIn(new URL(request.url).searchParams);
  // If the service does not load, an error page is shown. If the reviews do not load, only their section shows an error.
  await Promise.all([
    queries.ensureQueryData(serviceQuery(http, id)),
    queries.prefetchInfiniteQuery(serviceReviewsQuery(http, id, search)),
  ]);
  return null;
}

export function Component() {
  const http = useHttp();
  const { id = '' } = useParams();
  const { data: service } = useSuspenseQuery(serviceQuery(http, id));
  const title = titleOf(service);
  const storage = useStorage();
  const { user, loading } = useSession();
  const isVisitor = !user && !loading;
  const { data: ownReviews } = useQuery({
    ...ownReviewsOfServiceQuery(http, { email: user?.email ?? '', serviceId: id }),
    enabled: user !== null,
  });
  const ownReview = ownReviews?.find(({ hidden }) => !hidden);
  const ownService = useQuery({ ...ownServiceQuery(http, id), enabled: Boolean(user) }).data;
  const isLister = Boolean(ownService && user);
  useEffect(() => addViewed(storage, service._id), [storage, service._id]);
  return (
    // The key makes React reset the local state when the page changes to another service.
    <div key={service._id} className="column grid gap-12 pt-6 md:gap-18 md:pt-12">
      <PageHead
        name={title}
        listed={{
          path: `/services/${service._id}`,
          description: summaryOf(service),
          previewPicture: previewPictureOf(service),
          structuredData: (origin) => serviceData(service, origin),
        }}
      />
      <div className="grid items-start gap-6 md:grid-cols-2 md:gap-12">
        <EnlargeablePicture src={service.img} title={title} />
        <div className="grid gap-4">
          <h1 className="text-heading wrap-anywhere">{title}</h1>
          <p className="text-heading wrap-anywhere tabular-nums">{priceOf(service)}</p>
          <Rating {...service} />
          <ListersRating rating={service.ratting} className="wrap-anywhere" />
          <RatingsNote services={[service]} />
          <div className="flex flex-wrap gap-3">
            {isLister && (
              <ButtonLink to={`/editservice/${service._id}`} className="max-sm:w-full">
                {text.edit}
              </ButtonLink>
            )}
            <SaveButton service={service} />
            <ShareButton label={text.share(title)} title={title} path={`/services/${service._id}`} />
          </div>
          <Contact
            service={service}
            hasBar={isVisitor || ownService === null}
            // The account of a lister without an id was closed.
            ask={
              isLister || !service.listerId ? undefined : (isShort) => <AskLink id={service._id} isShort={isShort} />
            }
          />
          <ListersFacts service={service} />
          <section className="tear-line mt-2 grid gap-2 pt-4">
            <h2 className="text-title">{text.description}</h2>
            <ServiceDescription {...service} />
            <div>
              <ReportButton
                target={{
                  kind: 'service',
                  id: service._id,
                  name: title,
                  parts: isLister ? [] : partsOfService(service),
                }}
                uid={user?.uid}
                isVisitor={isVisitor}
              />
            </div>
          </section>
        </div>
      </div>
      <ReviewsSection
        service={service}
        title={title}
        user={loading ? undefined : user}
        isLister={isLister}
        addReview={
          <>
            {ownReview && (
              <ButtonLink to={`/editreview/${ownReview._id}`} tone={isLister ? 'quiet' : 'primary'}>
                {reviewText.edit}
              </ButtonLink>
            )}
            <AddReview id={service._id} tone={ownReview || isLister ? 'quiet' : 'primary'} />
          </>
        }
        report={(review, name, isOwn) => (
          <ReportButton
            target={{ kind: 'review', id: review._id, name, parts: partsOfReview(review, { isOwn, isLister }) }}
            uid={user?.uid}
            isVisitor={isVisitor}
            hash={`#${anchorOfReview(review._id)}`}
          />
        )}
      />
      <SimilarServices service={service} />
    </div>
  );
}

const partsOfService = ({ img }: ServiceDetails): ReportedPart[] => (img ? ['service', 'picture'] : ['service']);

/** Returns the parts of a review that the customer can report, because somebody else has written them. */
function partsOfReview({ reply, photos }: Review, { isOwn, isLister }: Record<'isOwn' | 'isLister', boolean>) {
  const parts: ReportedPart[] = isOwn ? [] : ['review'];
  if (reply && !isLister) parts.push('reply');
  if (photos && !isOwn) parts.push('picture');
  return parts;
}

function EnlargeablePicture({ src, title }: { src: string; title: string }) {
  const [open, setOpen] = useState(false);
  const picture = <Picture src={src} alt={src ? title : serviceText.noPicture} eager transition="service-picture" />;
  const frame = 'block w-full overflow-hidden rounded-card border-2 border-ink';
  if (!src) return <div className={frame}>{picture}</div>;
  return (
    <>
      <button
        type="button"
        aria-label={text.enlarge(title)}
        onClick={() => setOpen(true)}
        className={`${frame} group relative cursor-zoom-in noscript:cursor-auto`}
      >
        {picture}
        <IconBadge name="enlarge" className="absolute right-3 bottom-3" />
      </button>
      {open && (
        <LightboxOnDemand
          picture={<Picture src={src} alt={title} size="whole" eager />}
          title={title}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function AddReview({ id, tone }: { id: string; tone: 'primary' | 'quiet' }) {
  const { user, loading } = useSession();
  const from = useLocation();
  return (
    <ButtonLink to={`/review/${id}`} state={{ from }} tone={tone}>
      {user || loading ? text.addReview : text.loginToAdd}
    </ButtonLink>
  );
}

/** The link to the form for a request. If it is short, only screen readers read the whole text. */
function AskLink({ id, isShort }: { id: string; isShort: boolean }) {
  const from = useLocation();
  return (
    <ButtonLink
      to={`/ask/${id}`}
      state={{ from }}
      tone={isShort ? 'quiet' : 'primary'}
      className={isShort ? 'flex-1' : ''}
    >
      <span>
        {text.ask} <span className={isShort ? 'sr-only' : ''}>{text.forPrice}</span>
      </span>
    </ButtonLink>
  );
}

export function ErrorBoundary() {
  const { id } = useParams();
  const { user } = useSession();
  return isNotFound(useRouteError()) ? <UnlistedService id={id} isSignedIn={user !== null} /> : <RouteError />;
}
