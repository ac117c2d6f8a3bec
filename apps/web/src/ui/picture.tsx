import { useState } from 'react';

interface PictureProps {
  /** Empty, or whatever a customer gave: it may not answer. */
  src: string;
  alt: string;
  className?: string;
  /** The first thing seen is not put off. */
  eager?: boolean;
  /** Name of the picture in a view transition. */
  transition?: string | undefined;
}

/** Remembers which address brought no picture, until there is a network again. */
export function useBroken() {
  const [broken, setBroken] = useState<string>();
  const found = (src: string) => {
    setBroken(src);
    addEventListener('online', () => setBroken(undefined), { once: true });
  };
  return [broken, found] as const;
}

const placeholder = '/pictures/placeholder.svg';

/** A picture from any host, in a 4:3 box that never moves. Where it is missing or broken, the bare wall shows. */
export function Picture({ src, alt, className = '', eager = false, transition }: PictureProps) {
  const [broken, foundBroken] = useBroken();
  const shown = src && src !== broken ? src : placeholder;
  return (
    <img
      src={shown}
      alt={alt}
      width={400}
      height={300}
      loading={eager ? 'eager' : 'lazy'}
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => foundBroken(src)}
      style={transition ? { viewTransitionName: transition } : undefined}
      className={`aspect-4/3 w-full bg-sunken object-cover dark:brightness-90 ${className}`}
    />
  );
}
