import { ButtonLink } from '../../ui/button.tsx';
import { Carousel } from '../../ui/carousel.tsx';
import { Scene } from '../../ui/scene.tsx';

const text = {
  carousel: 'Featured services',
  slides: {
    install: {
      title: 'A hood that clears the air',
      body: 'Find people who plan and install the hood, duct and fan for your kitchen.',
      action: 'See hood installation',
    },
    repair: {
      title: 'Repaired before the dinner rush',
      body: 'Noisy fan, dripping filter, broken lamp? Find someone to repair it, and read reviews from other customers.',
      action: 'See hood repair',
    },
    air: {
      title: 'Cool air for a hot kitchen',
      body: 'Find people who install and repair air conditioning in professional kitchens.',
      action: 'See air conditioning',
    },
  },
};

export function Hero() {
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

/** A slide of the carousel. Its text is on the left side of the picture, or below the picture on a phone. */
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
