import { useEffect, useEffectEvent, useRef, useState } from 'react';

interface PictureProps {
  /** Empty, or whatever a customer gave: it may not answer. */
  src: string;
  alt: string;
  className?: string;
  /** Seen first: the browser fetches it before the scripts. */
  eager?: boolean;
  /** Name of the picture in a view transition. */
  transition?: string | undefined;
}

/** Whether `src` brought no picture, until there is a network again. `image` goes onto the `<img>`. */
export function useBroken(src: string) {
  const [broken, setBroken] = useState<string>();
  const ref = useRef<HTMLImageElement>(null);
  const onError = () => {
    setBroken(src);
    addEventListener('online', () => setBroken(undefined), { once: true });
  };
  const onMount = useEffectEvent(() => {
    // It failed before the page was hydrated, so no error event comes any more.
    if (ref.current?.complete && ref.current.naturalWidth === 0) onError();
  });
  useEffect(() => onMount(), []);
  return { isBroken: src === broken, image: { ref, onError } };
}

const placeholder = '/pictures/placeholder.svg';

/**
 * A picture from any host, in a 4:3 box that never moves. Where it is missing or broken, the drawing of a bare wall shows;
 * where that does not load either, as without a network, an empty box.
 */
export function Picture({ src, alt, className = '', eager = false, transition }: PictureProps) {
  const picture = useBroken(src);
  const drawing = useBroken(placeholder);
  const isMissing = src === '' || picture.isBroken;
  const box = `aspect-4/3 w-full bg-sunken ${className}`;
  if (isMissing && drawing.isBroken)
    return (
      <span {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })} className={`block ${box}`} />
    );
  return (
    <img
      {...(isMissing ? drawing : picture).image}
      src={isMissing ? placeholder : src}
      alt={alt}
      width={400}
      height={300}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : 'auto'}
      decoding="async"
      referrerPolicy="no-referrer"
      style={transition ? { viewTransitionName: transition } : undefined}
      className={`object-cover dark:brightness-90 ${box}`}
    />
  );
}
