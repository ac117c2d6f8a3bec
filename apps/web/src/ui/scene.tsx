import type { ComponentProps } from 'react';
import { useBroken } from './picture.tsx';

/** A decorative picture. If it fails to load, it is removed. */
export function Scene({
  src,
  className = '',
  ...rest
}: Omit<ComponentProps<'img'>, 'alt' | 'onError' | 'ref' | 'src'> & { src: string }) {
  const { isBroken, image } = useBroken(src);
  if (isBroken) return null;
  return <img {...rest} {...image} src={src} alt="" className={`dark:brightness-90 ${className}`} />;
}
