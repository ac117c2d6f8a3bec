import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { usePageContext } from '../../lib/page-context.ts';
import { uploadedPictureId } from '../../lib/picture-urls.ts';
import { useNearViewport } from '../../lib/use-near-viewport.ts';
import { PictureSource } from '../../ui/picture.tsx';
import type { pictureQuery } from './queries.ts';

interface ModeratorPicturesProps {
  /** The addresses of the pictures in `children` that this case hides. */
  hiddenUrls: readonly string[];
  queryOf: (id: string) => ReturnType<typeof pictureQuery>;
  children: ReactNode;
}

/**
 * Loads hidden pictures in `children` with the access token of the moderator, because they have no public address. Does the
 * same for an uploaded picture whose public address fails, because another moderation case may hide this picture.
 */
export function ModeratorPictures({ hiddenUrls, queryOf, children }: ModeratorPicturesProps) {
  const { origin } = usePageContext();
  const content = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(false);
  const [brokenUrls, setBrokenUrls] = useState<readonly string[]>([]);
  useNearViewport(content, () => setIsNear(true), { isActive: !isNear, assumeNear: true });
  const urls = [...hiddenUrls, ...brokenUrls];
  const ids = [...new Set(urls.flatMap((url) => uploadedPictureId(url, origin) ?? []))];
  const files = useQueries({ queries: ids.map((id) => ({ ...queryOf(id), enabled: isNear })) });
  const sourceOf = (address: string) => {
    const id = uploadedPictureId(address, origin);
    const file = id === undefined ? undefined : files[ids.indexOf(id)];
    if (!file) return address;
    // If the API does not return the file, for example because the API has an earlier version, use the public address. It
    // works if the picture is not hidden.
    return file.data ?? (file.isError ? address : '');
  };
  return (
    <div
      ref={content}
      className="grid gap-4"
      onErrorCapture={({ target }) =>
        target instanceof HTMLImageElement && setBrokenUrls((earlier) => [...earlier, target.src])
      }
    >
      <PictureSource value={sourceOf}>{children}</PictureSource>
    </div>
  );
}
