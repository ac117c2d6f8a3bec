import type { PictureWidth } from '@rtr/shared';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { focusHeadingOnRemoval } from '../../lib/focus.ts';
import { useHttp } from '../../lib/http-context.ts';
import { useNearViewport } from '../../lib/use-near-viewport.ts';
import { Button } from '../../ui/button.tsx';
import { Picture } from '../../ui/picture.tsx';
import { commonText } from '../../ui/texts.ts';
import { privatePictureQuery } from './queries.ts';

const text = {
  loading: (name: string) => `Loading ${name}`,
  failed: 'This photo did not load.',
  retry: (name: string) => `Try again to load ${name}`,
};

interface PrivatePictureProps {
  id: string;
  alt: string;
  /** The name of the picture for screen readers while it is not shown, such as 'photo 1 of your message'. */
  name: string;
  size: 'photo' | 'whole';
  /** Called when the picture is clicked. Without it, the picture is no button. */
  onEnlarge?: () => void;
  /** The accessible name of the button. */
  enlargeLabel?: string;
}

const widths: Record<PrivatePictureProps['size'], PictureWidth> = { photo: 320, whole: 1280 };
const boxes: Record<PrivatePictureProps['size'], string> = { photo: 'w-28', whole: 'w-full' };

/**
 * A picture that only some customers can read. It is requested with the access token when it comes near the visible part of
 * the page.
 */
export function PrivatePicture({ id, alt, name, size, onEnlarge, enlargeLabel }: PrivatePictureProps) {
  const http = useHttp();
  const frame = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  useNearViewport(frame, () => setIsNear(true), { isActive: !isNear, assumeNear: true });
  const { data, isError, isFetching, refetch } = useQuery({
    ...privatePictureQuery(http, id, widths[size]),
    enabled: isNear,
  });
  const src = useObjectUrl(data);
  const box = `grid aspect-4/3 content-center gap-2 bg-sunken ${boxes[size]}`;
  if (src === undefined)
    return (
      <div ref={frame} className={box}>
        {isError ? (
          <div ref={focusHeadingOnRemoval} className="grid justify-items-center gap-2 p-1 text-center text-small">
            <p>{text.failed}</p>
            <Button
              tone="quiet"
              pending={isFetching}
              aria-label={text.retry(name)}
              onClick={() => void refetch()}
              className={size === 'photo' ? 'w-full px-1' : ''}
            >
              {commonText.tryAgain}
            </Button>
          </div>
        ) : (
          <progress className="duct-bar" aria-label={text.loading(name)} />
        )}
      </div>
    );
  const picture = <Picture src={src} alt={alt} size={size} eager />;
  if (!onEnlarge) return picture;
  return (
    <button
      type="button"
      aria-label={enlargeLabel}
      onClick={onEnlarge}
      className="block cursor-zoom-in overflow-hidden rounded-drawn border-2 border-control hover:border-ink"
    >
      {picture}
    </button>
  );
}

/** Returns a URL of the picture for this page. The browser frees the picture when the component unmounts. */
function useObjectUrl(picture: Blob | undefined): string | undefined {
  const store = useMemo(() => createUrlStore(picture), [picture]);
  return useSyncExternalStore(store.subscribe, store.getUrl);
}

function createUrlStore(picture: Blob | undefined) {
  let url: string | undefined;
  return {
    getUrl: () => url,
    subscribe(onChange: () => void): () => void {
      if (!picture) return () => {};
      const created = URL.createObjectURL(picture);
      url = created;
      onChange();
      return () => {
        URL.revokeObjectURL(created);
        url = undefined;
      };
    },
  };
}
