import { limits } from '@rtr/shared';
import { type ReactNode, useState } from 'react';
import { focusHeadingOnRemoval, focusNeighborOnRemoval } from '../lib/focus.ts';
import { readPhotos } from '../lib/photos.ts';
import type { PictureStore } from '../lib/upload-picture.ts';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { LiveRegion } from './live-region.tsx';
import { PictureUpload } from './picture-upload.tsx';

const text = {
  photos: 'Photos',
  add: 'Add photos',
  added: 'Your photos are added.',
  alt: (n: number) => `Description of photo ${n}`,
  altHint: 'For people who cannot see the photo.',
  remove: 'Remove',
  removeOne: (n: number) => `Remove photo ${n}`,
  count: (count: number, max: number) => `${count} of ${max} photos`,
};

interface PhotoFieldsProps<Photo extends { alt: string }> {
  store: PictureStore;
  max: number;
  hint: string;
  /** The message about files that were not added. */
  leftOut: (names: string) => string;
  /** Creates a photo without a description. `uploaded` is the URL of the picture, or its id if it is private. */
  create: (uploaded: string) => Photo;
  /** Returns the URL or the id of the picture. */
  keyOf: (photo: Photo) => string;
  render: (photo: Photo) => ReactNode;
  /** The initial photos as JSON. Undefined if there are none. */
  initial: string | undefined;
  /** Called with the photos as JSON after each change. */
  onChange: (photos: string) => void;
}

/** The fields for the photos of a form. A hidden field `photos` contains them as JSON. */
export function PhotoFields<Photo extends { alt: string }>({
  store,
  max,
  hint,
  leftOut,
  create,
  keyOf,
  render,
  initial,
  onChange,
}: PhotoFieldsProps<Photo>) {
  const [photos, setPhotos] = useState(() => readPhotos<Photo>(initial));
  const [namesLeftOut, setNamesLeftOut] = useState('');
  const change = (next: Photo[]) => {
    setPhotos(next);
    onChange(JSON.stringify(next));
  };
  const isUsed = (uploaded: string) => photos.some((photo) => keyOf(photo) === uploaded);
  return (
    <fieldset className="grid gap-3">
      <legend className="pb-1 font-semibold">{text.photos}</legend>
      {(photos.length > 0 || initial !== undefined) && <HiddenFields values={{ photos: JSON.stringify(photos) }} />}
      <ul className="grid gap-4 empty:hidden">
        {photos.map((photo, index) => (
          <li key={keyOf(photo)} ref={focusNeighborOnRemoval} className="grid gap-2 sm:grid-cols-[auto_1fr] sm:gap-4">
            {render(photo)}
            <div className="grid gap-2">
              <Field
                label={text.alt(index + 1)}
                hint={text.altHint}
                name={`photoAlt${index}`}
                maxLength={limits.photoAltLength}
                value={photo.alt}
                onChange={({ target }) => change(photos.with(index, { ...photo, alt: target.value }))}
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
      <LiveRegion variant="hidden">{photos.length > 0 && text.count(photos.length, max)}</LiveRegion>
      <LiveRegion variant="collapsible">
        {namesLeftOut && <p className="text-small wrap-anywhere">{leftOut(namesLeftOut)}</p>}
      </LiveRegion>
      {photos.length < max && (
        <div ref={focusHeadingOnRemoval}>
          <PictureUpload
            store={store}
            label={text.add}
            hint={hint}
            done={text.added}
            room={max - photos.length}
            onLeftOut={(files) => setNamesLeftOut(files.map(({ name }) => name).join(', '))}
            isUsed={isUsed}
            // A file that is uploaded twice has the same URL both times. It is added only once.
            onUploaded={(uploaded) => !isUsed(uploaded) && change([...photos, create(uploaded)])}
          />
        </div>
      )}
    </fieldset>
  );
}
