import type { ComponentProps } from 'react';
import { useBroken } from './picture.tsx';

type Variant = 'plain' | 'framed';

const variants: Record<Variant, string> = {
  plain: '',
  framed: 'w-full rounded-card border-4 border-drawn',
};

interface SceneProps extends Omit<ComponentProps<'img'>, 'alt' | 'onError' | 'ref' | 'src'> {
  src: string;
  variant?: Variant;
}

/** A decorative picture, which disappears if it fails to load. */
export function Scene({ src, variant = 'plain', className = '', ...rest }: SceneProps) {
  const { isBroken, image } = useBroken(src);
  if (isBroken) return null;
  return (
    <img {...rest} {...image} src={src} alt="" className={`dark:brightness-90 ${variants[variant]} ${className}`} />
  );
}
