import { usePageContext } from '../lib/page-context.ts';
import { pictureSrcSet } from '../lib/picture-urls.ts';
import { useBroken } from './picture.tsx';

/**
 * A square photo of a person. If the photo is missing or broken, the person's initials are shown. Without `alt`, screen
 * readers ignore the avatar.
 */
export function Avatar({ src, name, alt = '' }: { src: string; name: string; alt?: string }) {
  const { origin } = usePageContext();
  const { isBroken, image } = useBroken(src);
  const srcSet = pictureSrcSet(src, origin, 320);
  const box = 'size-12 shrink-0 rounded-control';
  if (src && !isBroken)
    return (
      <img
        {...image}
        {...(srcSet && { srcSet, sizes: '48px' })}
        src={src}
        alt={alt}
        width={48}
        height={48}
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        className={`${box} bg-sunken object-cover dark:brightness-90`}
      />
    );
  return (
    <span
      {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
      className={`${box} grid place-items-center bg-tint font-bold text-primary`}
    >
      {initialsOf(name)}
    </span>
  );
}

/** Returns the initials of a name: the first visible character (grapheme) of its first word and of its last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const segments = new Intl.Segmenter();
  return ends
    .map((word) => [...segments.segment(word ?? '')][0]?.segment ?? '')
    .join('')
    .toUpperCase();
}
