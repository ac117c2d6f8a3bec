import type { ComponentProps } from 'react';
import { useBroken } from './picture.tsx';

/** A drawing of ours beside words that say the same. Where it does not load, as without a network, it is left out. */
export function Scene({
  src,
  className = '',
  ...rest
}: Omit<ComponentProps<'img'>, 'alt' | 'onError' | 'ref' | 'src'> & { src: string }) {
  const { isBroken, image } = useBroken(src);
  if (isBroken) return null;
  return <img {...rest} {...image} src={src} alt="" className={`dark:brightness-90 ${className}`} />;
}
