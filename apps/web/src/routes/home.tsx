import { productName } from '@rtr/shared';
import type { LoaderFunctionArgs } from 'react-router-dom';
import { useSession } from '../features/auth/session-context.ts';
import { Hero } from '../features/services/hero.tsx';
import { NewestServices } from '../features/services/newest-services.tsx';
import { newestServicesQuery } from '../features/services/queries.ts';
import { ServiceSearchField } from '../features/services/service-search-field.tsx';
import { appIn } from '../lib/app.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ProgressBars } from '../ui/page-state.tsx';
import { Scene } from '../ui/scene.tsx';

const text = {
  name: 'Home',
  description:
    'Find hood installation and repair, duct cleaning, air conditioning and more for professional kitchens, and read customer reviews.',
  promo: {
    title: 'Discover Our Kitchen',
    body: 'Find services for hoods, ducts, air conditioning, cold rooms, and gas and fire safety. Read customer reviews, and write your own.',
    action: 'Get Started',
  },
  statistics: {
    heading: 'Statistics',
    figures: [
      { value: '25.6K', label: 'Visits' },
      { value: '2.6M', label: 'Page views' },
      { value: '2.6K', label: 'Daily adds' },
      { value: '96%', label: 'Satisfaction' },
    ],
  },
};

export function loader({ context }: LoaderFunctionArgs) {
  const { http, queries } = appIn(context);
  // The loader does not wait for this query. `NewestServices` shows placeholders while it loads, and an error if it fails.
  void queries.prefetchQuery(newestServicesQuery(http));
  return null;
}

export function Component() {
  const { loading } = useSession();
  return (
    <>
      <PageHead
        name={text.name}
        listed={{ path: '/', description: text.description, previewTitle: productName, structuredData: siteData }}
      />
      {loading ? <ProgressBars /> : <Home />}
    </>
  );
}

function siteData(origin: string) {
  return {
    '@type': 'WebSite',
    name: productName,
    url: `${origin}/`,
    description: text.description,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${origin}/services?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  };
}

function Home() {
  return (
    <>
      <h1 className="sr-only">{productName}</h1>
      <div className="column py-4 md:pb-0 lg:hidden">
        <ServiceSearchField value="" />
      </div>
      <Hero />
      <div className="column grid gap-12 pt-12 md:gap-18 md:pt-18">
        <Promo />
        <NewestServices />
        <Statistics />
      </div>
    </>
  );
}

// Side by side, the three pictures look like one kitchen.
const scenes = ['hood-installation-island', 'cold-room-repair', 'gas-safety-check'];

function Promo() {
  return (
    <section className="grid items-center gap-6 lg:grid-cols-[2fr_3fr] lg:gap-12">
      <div className="grid justify-items-start gap-4">
        <h2 className="text-heading">{text.promo.title}</h2>
        <p className="measure text-muted">{text.promo.body}</p>
        <ButtonLink to="/services">{text.promo.action}</ButtonLink>
      </div>
      <div className="flex overflow-hidden rounded-card border-2 border-drawn max-lg:order-first max-sm:hidden">
        {scenes.map((scene) => (
          <Scene key={scene} src={`/pictures/${scene}.svg`} width={400} height={300} loading="lazy" className="w-1/3" />
        ))}
      </div>
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
