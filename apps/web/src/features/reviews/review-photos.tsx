import type { ReviewPhoto } from '@rtr/shared';
import { useState } from 'react';
import { LightboxOnDemand } from '../../ui/lightbox-on-demand.tsx';
import { Picture } from '../../ui/picture.tsx';

const text = {
  photo: (n: number, name: string) => `Photo ${n} of ${name}`,
  enlarge: (n: number, name: string) => `Enlarge photo ${n} of ${name}`,
};

interface ReviewPhotosProps {
  photos: readonly ReviewPhoto[];
  /** The name of the review for screen readers, such as 'your review of Hood repair'. */
  name: string;
}

/** The photos of a review with their descriptions. A click on a photo enlarges it. */
export function ReviewPhotos({ photos, name }: ReviewPhotosProps) {
  const [openIndex, setOpenIndex] = useState<number>();
  const open = openIndex === undefined ? undefined : photos[openIndex];
  const titleOf = ({ alt }: ReviewPhoto, index: number) => alt || text.photo(index + 1, name);
  return (
    <>
      <ul className="flex flex-wrap gap-3 pt-4 empty:hidden">
        {photos.map(({ url, alt }, index) => (
          <li key={url} className="grid w-28 content-start gap-1">
            <button
              type="button"
              aria-label={text.enlarge(index + 1, name)}
              onClick={() => setOpenIndex(index)}
              className="block cursor-zoom-in overflow-hidden rounded-drawn border-2 border-control hover:border-ink noscript:cursor-auto"
            >
              <Picture src={url} alt={alt} size="photo" />
            </button>
            {alt && <p className="line-clamp-3 text-small wrap-anywhere text-muted">{alt}</p>}
          </li>
        ))}
      </ul>
      {open && openIndex !== undefined && (
        <LightboxOnDemand
          picture={<Picture src={open.url} alt={titleOf(open, openIndex)} size="whole" eager />}
          title={titleOf(open, openIndex)}
          onClose={() => setOpenIndex(undefined)}
        />
      )}
    </>
  );
}
