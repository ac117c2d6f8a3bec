import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { usePageContext } from '../../lib/page-context.ts';
import { uploadedPictureId } from '../../lib/picture-urls.ts';
import { useNearViewport } from '../../lib/use-near-viewport.ts';
import { PictureSource } from '../../ui/picture.tsx';
import type { pictureQuery } from './queries.ts';

interface ModeratorPicturesProps {
  /** The addresses of the pictures in `children`. */
  urls: readonly string[];
  queryOf: (id: string) => ReturnType<typeof pictureQuery>;
  children: ReactNode;
}

/**
 * Loads the uploaded pictures in `children` with the access token of the moderator, so that the moderator also sees hidden
 * ones. A picture can be hidden because of another case, so all uploaded pictures are loaded in this way. Pictures of other
 * websites are loaded from their own addresses.
 */
export function ModeratorPictures({ urls, queryOf, children }: ModeratorPicturesProps) {
  const { origin } = usePageContext();
  const content = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  useNearViewport(content, () => setIsNear(true), { isActive: !isNear, assumeNear: true });
  const ids = [...new Set(urls.flatMap((url) => uploadedPictureId(url, origin) ?? []))];
  const files = useQueries({ queries: ids.map((id) => ({ ...queryOf(id), enabled: isNear })) });
  const sourceOf = (address: string) => {
    const id = uploadedPictureId(address, origin);
    if (id === undefined) return address;
    const file = files[ids.indexOf(id)];
    // If the file does not load, for example from an API of an earlier version, the public address still shows a visible picture.
    return file?.data ?? (file?.isError ? address : '');
  };
  return (
    <div ref={content} className="grid gap-4">
      <PictureSource value={sourceOf}>{children}</PictureSource>
    </div>
  );
}
