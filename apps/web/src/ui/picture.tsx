import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { usePageContext } from '../lib/page-context.ts';
import { pictureSrcSet } from '../lib/picture-urls.ts';

type Size = 'full' | 'whole' | 'card' | 'photo' | 'thumbnail';

interface SizeDetails {
  className: string;
  /** The width of the picture on screen, as in the attribute `sizes` of `<img>`. */
  shown: string;
  /** The maximum width of the file to load. Only uploaded pictures have files in several widths. */
  maxWidth: number;
}

const sizes: Record<Size, SizeDetails> = {
  full: { className: 'w-full object-cover', shown: '(min-width: 48rem) 60vw, 100vw', maxWidth: 1280 },
  /** Shows the complete picture instead of cropping it to the shape of its box. */
  whole: { className: 'w-full object-contain', shown: '100vw', maxWidth: 1280 },
  card: {
    className: 'w-full object-cover',
    shown: '(min-width: 64rem) 24rem, (min-width: 40rem) 50vw, 100vw',
    maxWidth: 640,
  },
  photo: { className: 'w-28 object-cover', shown: '7rem', maxWidth: 320 },
  thumbnail: {
    className: 'w-[min(5rem,25vw)] shrink-0 object-cover self-start rounded-drawn',
    shown: '5rem',
    maxWidth: 320,
  },
};

interface PictureProps {
  /** The URL of a picture on any host, or '' if there is no picture. */
  src: string;
  alt: string;
  size?: Size;
  className?: string;
  /** True if the picture is at the top of the page. The browser then fetches the picture before the scripts. */
  eager?: boolean;
  /** The name of the picture in a view transition. */
  transition?: string | undefined;
}

/**
 * `isBroken` is true if the picture failed to load. When the browser is online again, `isBroken` becomes false, and the
 * picture is requested again. Spread `image` onto the `<img>` element.
 */
export function useBroken(src: string) {
  const [broken, setBroken] = useState<string>();
  const isBroken = src === broken;
  const ref = useRef<HTMLImageElement>(null);
  const onError = () => setBroken(src);
  const onMount = useEffectEvent(() => {
    // If the picture failed to load before hydration, React misses its error event.
    if (ref.current?.complete && ref.current.naturalWidth === 0) onError();
  });
  useEffect(() => onMount(), []);
  useEffect(() => {
    if (!isBroken) return;
    const reset = () => setBroken(undefined);
    addEventListener('online', reset);
    return () => removeEventListener('online', reset);
  }, [isBroken]);
  return { isBroken, image: { ref, onError } };
}

const placeholderUrl = '/pictures/placeholder.svg';

/**
 * A picture from any host, in a 4:3 box. A placeholder replaces a missing or broken picture. If the
 * placeholder does not load either, the box is empty.
 */
export function Picture({ src, alt, size = 'full', className = '', eager = false, transition }: PictureProps) {
  const { origin } = usePageContext();
  const picture = useBroken(src);
  const placeholder = useBroken(placeholderUrl);
  const isMissing = src === '' || picture.isBroken;
  const { className: sizeClass, shown, maxWidth } = sizes[size];
  const srcSet = isMissing ? undefined : pictureSrcSet(src, origin, maxWidth);
  const box = `aspect-4/3 bg-sunken ${sizeClass} ${className}`;
  if (isMissing && placeholder.isBroken)
    return (
      <span {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })} className={`block ${box}`} />
    );
  return (
    <img
      {...(isMissing ? placeholder : picture).image}
      {...(srcSet && { srcSet, sizes: shown })}
      src={isMissing ? placeholderUrl : src}
      alt={alt}
      width={400}
      height={300}
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
      decoding="async"
      referrerPolicy="no-referrer"
      style={transition ? { viewTransitionName: transition } : undefined}
      className={`dark:brightness-90 ${box}`}
    />
  );
}
