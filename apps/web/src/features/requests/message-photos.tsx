import type { MessagePhoto } from '@rtr/shared';
import { useState } from 'react';
import { LightboxOnDemand } from '../../ui/lightbox-on-demand.tsx';
import { PrivatePicture } from './private-picture.tsx';

const text = {
  photo: (n: number, name: string) => `photo ${n} of ${name}`,
  enlarge: (photo: string) => `Enlarge ${photo}`,
};

interface MessagePhotosProps {
  photos: readonly MessagePhoto[];
  /** The name of the message for screen readers, such as 'your message'. */
  name: string;
}

/** The private photos of a message with their descriptions. A click on a photo enlarges it. */
export function MessagePhotos({ photos, name }: MessagePhotosProps) {
  const [openIndex, setOpenIndex] = useState<number>();
  const open = openIndex === undefined ? undefined : photos[openIndex];
  const openName = text.photo((openIndex ?? 0) + 1, name);
  return (
    <>
      <ul className="flex flex-wrap gap-3 pt-2">
        {photos.map(({ id, alt }, index) => {
          const photo = text.photo(index + 1, name);
          return (
            <li key={id} className="grid w-28 content-start gap-1">
              <PrivatePicture
                id={id}
                alt={alt}
                name={photo}
                size="photo"
                onEnlarge={() => setOpenIndex(index)}
                enlargeLabel={text.enlarge(photo)}
              />
              {alt && <p className="line-clamp-3 text-small wrap-anywhere text-muted">{alt}</p>}
            </li>
          );
        })}
      </ul>
      {open && (
        <LightboxOnDemand
          picture={<PrivatePicture id={open.id} alt={open.alt || openName} name={openName} size="whole" />}
          title={open.alt || openName}
          onClose={() => setOpenIndex(undefined)}
        />
      )}
    </>
  );
}
