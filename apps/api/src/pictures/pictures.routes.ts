import { UnsupportedMediaError } from '../errors.ts';
import type { AddRoute } from '../http/contract-router.ts';
import { createUploads } from '../http/uploads.ts';
import { pictureTypes } from './encode-picture.ts';
import type { PictureStore } from './pictures.store.ts';

const defaultWidth = 1280;

export function addPictureRoutes(addRoute: AddRoute, pictures: PictureStore): void {
  const receiveUpload = createUploads();

  addRoute('POST /pictures', async ({ caller }, res, req) => {
    const contentType = req.is(pictureTypes);
    if (!contentType || req.headers['content-encoding'] !== undefined)
      throw new UnsupportedMediaError(
        `Send the picture as the body, with its Content-Type: ${pictureTypes.join(', ')}.`,
      );
    const clientGone = new AbortController();
    res.once('close', () => clientGone.abort());
    try {
      const uploaded = await receiveUpload(req, caller.uid, (bytes) =>
        pictures.add(caller.uid, bytes, contentType, clientGone.signal),
      );
      res.status(201).location(new URL(uploaded.url).pathname).json(uploaded);
    } catch (error) {
      // Both errors mean that the client has disconnected.
      if (error !== clientGone.signal.reason && error !== req.errored) throw error;
    }
  });

  addRoute('GET /pictures/u/:id', async ({ params, query }, res, req) => {
    const file = await pictures.find(params.id, query.w ?? defaultWidth);
    // The address contains a hash of the file, so the file at this address never changes. No cache may store a response to a
    // request with a token (see `cacheHeaders`).
    if (req.headers.authorization === undefined) res.set('Cache-Control', 'public, max-age=31536000, immutable');
    res.type('image/webp').end(file);
  });
}
