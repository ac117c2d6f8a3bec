import { useQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router-dom';
import { useSession } from '../features/auth/session-context.ts';
import { newestServicesQuery } from '../features/services/queries.ts';
import { ServiceCard, ServiceCardPlaceholder, ServiceGrid } from '../features/services/service-card.tsx';
import { appIn } from '../lib/app.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Carousel } from '../ui/carousel.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState, ProgressBars } from '../ui/page-state.tsx';
import { Scene } from '../ui/scene.tsx';

const text = {
  name: 'Home',
  description:
    'Hood installation and repair, duct cleaning, air conditioning help and more for working kitchens, reviewed by the people who used them.',
  heading: 'RTR Cloud Kitchen',
  carousel: 'What we help with',
  slides: {
    install: {
      title: 'A hood that clears the whole line',
      body: 'Canopy, duct and fan, measured for your range and hung true.',
      action: 'See hood installation',
    },
    repair: {
      title: 'Mended before the dinner rush',
      body: 'Rattling fans, dripping filters, dark lamps: find who mends them, and how it went for others.',
      action: 'See hood repair',
    },
    air: {
      title: 'Cool air where the heat is',
      body: 'Air conditioning for kitchens that run hot, from first fitting to same-day help.',
      action: 'See air conditioning',
    },
  },
  promo: {
    title: 'Discover Our Kitchen',
    body: 'Hoods, ducts, cold rooms, gas and cool air: look through every service, read what other kitchens say, and add what you know.',
    action: 'Get Started',
  },
  services: 'Newest services',
  all: 'See all services',
  loading: 'Loading services…',
  failed: {
    title: 'The services did not load',
    body: 'The connection or our server failed. Nothing is lost.',
    retry: 'Try again',
  },
  empty: { title: 'No services yet', body: 'Be the first to list one.', action: 'Add Service' },
  statistics: {
    heading: 'In figures',
    figures: [
      { value: '25.6K', label: 'Visits' },
      { value: '2.6M', label: 'Page views' },
      { value: '2.6K', label: 'Daily adds' },
      { value: '96%', label: 'Satisfaction' },
    ],
  },
};

const previewed = 3;

export function loader({ context }: LoaderFunctionArgs) {
  const { http, queries } = appIn(context);
  const query = newestServicesQuery(http, previewed);
  // Not waited for: the hero stands while the cards arrive, and a failure is theirs alone.
  void queries.prefetchQuery(query);
  return { query };
}

export function Component() {
  const { loading } = useSession();
  return (
    <>
      <PageHead
        name={text.name}
        listed={{ path: '/', description: text.description, previewTitle: text.heading, structuredData: siteData }}
      />
      {loading ? <ProgressBars /> : <Page />}
    </>
  );
}

/** The site as schema.org data, with its search. */
function siteData(origin: string) {
  return {
    '@type': 'WebSite',
    name: text.heading,
    url: `${origin}/`,
    description: text.description,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${origin}/services?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
}

function Page() {
  return (
    <>
      <h1 className="sr-only">{text.heading}</h1>
      <Hero />
      <div className="column grid gap-12 pt-12 md:gap-18 md:pt-18">
        <Promo />
        <Preview />
        <Statistics />
      </div>
    </>
  );
}

function Hero() {
  const slide = (key: keyof typeof text.slides, wall: string, floor: string, q: string) => ({
    key,
    floor,
    content: (
      <HeroSlide
        picture={`/pictures/hero-${key}.svg`}
        wall={wall}
        first={key === 'install'}
        to={`/services?q=${encodeURIComponent(q)}`}
        {...text.slides[key]}
      />
    ),
  });
  return (
    <div className="md:column md:pt-6">
      <Carousel
        label={text.carousel}
        className="md:rounded-hero"
        slides={[
          slide('install', 'bg-wall-petrol', 'bg-floor-petrol', 'hood installation'),
          slide('repair', 'bg-wall-brick', 'bg-floor-brick', 'hood repair'),
          slide('air', 'bg-wall-ice', 'bg-floor-ice', 'air conditioning'),
        ]}
      />
    </div>
  );
}

interface HeroSlideProps {
  picture: string;
  wall: string;
  first: boolean;
  to: string;
  title: string;
  body: string;
  action: string;
}

/** One wall: the duct runs along its ceiling over the words; on a phone the scene is a strip above them. */
function HeroSlide({ picture, wall, first, to, title, body, action }: HeroSlideProps) {
  return (
    <div className={`grid overflow-hidden md:h-120 md:grid-cols-[46%_1fr] md:grid-rows-1 ${wall}`}>
      <Scene
        src={picture}
        width={1152}
        height={480}
        fetchPriority={first ? 'high' : 'auto'}
        loading={first ? 'eager' : 'lazy'}
        className="-mt-3.5 h-[244px] w-full object-cover object-right md:col-span-2 md:col-start-1 md:row-start-1 md:mt-0 md:h-120"
      />
      <div className="relative grid content-start justify-items-start gap-4 px-4 pt-6 pb-6 md:col-start-1 md:row-start-1 md:content-center md:pt-28 md:pr-0 md:pb-18 md:pl-8">
        <h2 className="text-display text-wall-heading md:max-lg:text-heading">{title}</h2>
        <p className="text-wall-text">{body}</p>
        <ButtonLink tone="hero" to={to}>
          {action}
        </ButtonLink>
      </div>
    </div>
  );
}

// They hang from one ceiling and stand on one floor: side by side they are one kitchen.
const oneKitchen = ['hood-installation-island', 'cold-room-repair', 'gas-safety-check'];

function Promo() {
  return (
    <section className="grid items-center gap-6 lg:grid-cols-[2fr_3fr] lg:gap-12">
      <div className="grid justify-items-start gap-4">
        <h2 className="text-heading">{text.promo.title}</h2>
        <p className="measure text-muted">{text.promo.body}</p>
        <ButtonLink to="/services">{text.promo.action}</ButtonLink>
      </div>
      <div className="flex overflow-hidden rounded-card border-2 border-drawn max-lg:order-first">
        {oneKitchen.map((scene) => (
          <Scene
            key={scene}
            src={`/pictures/${scene}.svg`}
            width={400}
            height={300}
            loading="lazy"
            className="w-1/3 max-sm:w-1/2 max-sm:last:hidden"
          />
        ))}
      </div>
    </section>
  );
}

function Preview() {
  const { query } = useLoaderData<typeof loader>();
  const list = useQuery(query);
  const { data } = list;
  const { hasFailed, retry, announcement } = useFirstLoad(list, {
    loading: text.loading,
    failed: text.failed.title,
  });
  return (
    <section className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 className="text-section">{text.services}</h2>
        <ButtonLink tone="quiet" to="/services">
          {text.all}
        </ButtonLink>
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {hasFailed ? (
        <Alert
          action={
            <Button tone="quiet" pending={list.isFetching} onClick={retry}>
              {text.failed.retry}
            </Button>
          }
        >
          <h3 className="font-bold">{text.failed.title}</h3>
          <p>{text.failed.body}</p>
        </Alert>
      ) : data?.length === 0 ? (
        <PageState
          level={3}
          picture="/pictures/placeholder.svg"
          title={text.empty.title}
          action={<ButtonLink to="/addservices">{text.empty.action}</ButtonLink>}
        >
          <p>{text.empty.body}</p>
        </PageState>
      ) : (
        <ServiceGrid busy={list.isPending}>
          {data?.map((service) => (
            <li key={service._id}>
              <ServiceCard service={service} />
            </li>
          )) ??
            [1, 2, 3].map((box) => (
              <li key={box}>
                <ServiceCardPlaceholder />
              </li>
            ))}
        </ServiceGrid>
      )}
    </section>
  );
}

function Statistics() {
  return (
    <section aria-label={text.statistics.heading}>
      <dl className="grid grid-cols-2 border-y-4 border-ink md:grid-cols-4">
        {text.statistics.figures.map(({ value, label }) => (
          <div
            key={label}
            className="flex flex-col-reverse gap-1 border-dashed border-control p-6 even:border-l-2 max-md:nth-[n+3]:border-t-2 md:nth-[n+2]:border-l-2"
          >
            <dt className="text-muted">{label}</dt>
            <dd className="text-figure tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
