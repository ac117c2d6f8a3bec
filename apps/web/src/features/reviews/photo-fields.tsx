import { limits, type ReviewPhoto } from '@rtr/shared';
import { useState } from 'react';
import { focusHeadingOnRemoval, focusNeighborOnRemoval } from '../../lib/focus.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { Picture } from '../../ui/picture.tsx';
import { PictureUpload } from '../../ui/picture-upload.tsx';
import { readPhotos } from './forms.ts';

const text = {
  photos: 'Photos',
  hint: `Add up to ${limits.photosPerReview} photos, which everyone can see. You can also drop or paste photos.`,
  add: 'Add photos',
  added: 'Your photos are added.',
  leftOut: (names: string) => `Not added: ${names}. A review can have up to ${limits.photosPerReview} photos.`,
  alt: (n: number) => `Description of photo ${n}`,
  altHint: 'For people who cannot see the photo.',
  remove: 'Remove',
  removeOne: (n: number) => `Remove photo ${n}`,
  count: (count: number) => `${count} of ${limits.photosPerReview} photos`,
};

interface PhotoFieldsProps {
  /** The initial photos as JSON. Undefined if the review has none. */
  initial: string | undefined;
  /** Called with the photos as JSON after each change. */
  onChange: (photos: string) => void;
}

/** The fields for the photos of a review. A hidden field `photos` contains them as JSON. */
export function PhotoFields({ initial, onChange }: PhotoFieldsProps) {
  const [photos, setPhotos] = useState(() => readPhotos(initial));
  const [leftOut, setLeftOut] = useState('');
  const change = (next: ReviewPhoto[]) => {
    setPhotos(next);
    onChange(JSON.stringify(next));
  };
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-1 font-semibold">{text.photos}</legend>
      {(photos.length > 0 || initial !== undefined) && <HiddenFields values={{ photos: JSON.stringify(photos) }} />}
      <ul className="grid gap-4 empty:hidden">
        {photos.map(({ url, alt }, index) => (
          <li key={url} ref={focusNeighborOnRemoval} className="grid gap-2 sm:grid-cols-[auto_1fr] sm:gap-4">
            <Picture src={url} alt="" size="photo" />
            <div className="grid gap-2">
              <Field
                label={text.alt(index + 1)}
                hint={text.altHint}
                name={`photoAlt${index}`}
                maxLength={limits.photoAltLength}
                value={alt}
                onChange={({ target }) => change(photos.with(index, { url, alt: target.value }))}
              />
              <Button
                tone="quiet"
                aria-label={text.removeOne(index + 1)}
                onClick={() => change(photos.toSpliced(index, 1))}
                className="justify-self-start"
              >
                {text.remove}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <LiveRegion variant="hidden">{photos.length > 0 && text.count(photos.length)}</LiveRegion>
      <LiveRegion variant="collapsible">
        {leftOut && <p className="text-small wrap-anywhere">{text.leftOut(leftOut)}</p>}
      </LiveRegion>
      {photos.length < limits.photosPerReview && (
        <div ref={focusHeadingOnRemoval}>
          <PictureUpload
            label={text.add}
            hint={text.hint}
            done={text.added}
            room={limits.photosPerReview - photos.length}
            onLeftOut={(files) => setLeftOut(files.map(({ name }) => name).join(', '))}
            isUsed={(url) => photos.some((photo) => photo.url === url)}
            // A file that is uploaded twice has the same URL both times. It is added only once.
            onUploaded={(url) => photos.every((photo) => photo.url !== url) && change([...photos, { url, alt: '' }])}
          />
        </div>
      )}
    </fieldset>
  );
}
