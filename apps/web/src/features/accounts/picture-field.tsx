import { isWebUrl } from '@rtr/shared';
import { useState } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Field } from '../../ui/field.tsx';
import { PictureUpload } from '../../ui/picture-upload.tsx';
import { commonText } from '../../ui/texts.ts';

const text = {
  hint: commonText.pictureHint('your photo'),
  initials: 'We show your initials if you leave this empty.',
  drawn: 'No picture? Choose a drawing',
  drawnOne: (n: number) => `Drawing ${n}`,
};

const drawn = [1, 2, 3, 4, 5, 6];

const absolute = (path: string) => new URL(path, location.href).href;

interface PictureFieldProps {
  error: string | undefined;
  /** The preview shows the initials of this name if there is no picture. */
  name?: string;
  initial?: string;
  onChange?: (picture: string) => void;
  required?: boolean;
  /** Whether the customer can upload a picture. An upload needs an account. */
  canUpload?: boolean;
}

export function PictureField({
  error,
  name = '?',
  initial = '',
  onChange,
  required = false,
  canUpload = false,
}: PictureFieldProps) {
  const [picture, setPicture] = useState(initial);
  const change = (next: string) => {
    setPicture(next);
    onChange?.(next);
  };
  const field = (
    <div className="flex items-end gap-3">
      <div className="min-w-0 flex-1">
        <Field
          label={commonText.pictureUrl}
          hint={required ? text.hint : `${text.hint} ${text.initials}`}
          error={error}
          name="picture"
          type="url"
          inputMode="url"
          autoComplete="photo"
          required={required}
          value={picture}
          onChange={(event) => change(event.target.value)}
        />
      </div>
      <Avatar src={isWebUrl(picture) ? picture : ''} name={name} />
    </div>
  );
  return (
    <div className="grid gap-3">
      {canUpload ? (
        <PictureUpload onUploaded={change} isUsed={(url) => url === picture} value={picture}>
          {field}
        </PictureUpload>
      ) : (
        field
      )}
      <fieldset className="grid gap-2">
        <legend className="pb-2 text-small text-muted">{text.drawn}</legend>
        <div className="flex flex-wrap gap-0.5 sm:gap-2">
          {drawn.map((n) => {
            const path = `/pictures/avatar-${n}.svg`;
            return (
              <button
                key={n}
                type="button"
                aria-label={text.drawnOne(n)}
                aria-pressed={picture !== '' && picture === absolute(path)}
                onClick={() => change(absolute(path))}
                className="rounded-control border-2 border-transparent hover:border-control aria-pressed:border-ink"
              >
                <Avatar src={path} name="" />
              </button>
            );
          })}
        </div>
      </fieldset>
    </div>
  );
}
