import type { Request, Response } from 'express';
import { UnsupportedMediaError } from '../errors.ts';
import type { AddRoute } from '../http/contract-router.ts';
import { createUploads } from '../http/uploads.ts';
import { pictureTypes } from './encode-picture.ts';
import type { PictureStore } from './pictures.store.ts';

const defaultWidth = 1280;

export function addPictureRoutes(addRoute: AddRoute, pictures: PictureStore): void {
  const receiveUpload = createUploads();

  /**
   * Receives a picture, and passes it to `store`. Returns the result, or undefined if the client has disconnected in the
   * meantime.
   */
  async function receivePicture<T>(
    req: Request,
    res: Response,
    uid: string,
    store: (uid: string, bytes: Buffer, contentType: string, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const contentType = req.is(pictureTypes);
    if (!contentType || req.headers['content-encoding'] !== undefined)
      throw new UnsupportedMediaError(
        `Send the picture as the body, with its Content-Type: ${pictureTypes.join(', ')}.`,
      );
    const clientGone = new AbortController();
    res.once('close', () => clientGone.abort());
    try {
      return await receiveUpload(req, uid, (bytes) => store(uid, bytes, contentType, clientGone.signal));
    } catch (error) {
      // Both errors mean that the client has disconnected.
      if (error !== clientGone.signal.reason && error !== req.errored) throw error;
      return undefined;
    }
  }

  addRoute('POST /pictures', async ({ caller }, res, req) => {
    const uploaded = await receivePicture(req, res, caller.uid, pictures.add);
    if (uploaded) res.status(201).location(new URL(uploaded.url).pathname).json(uploaded);
  });

  addRoute('POST /pictures/p', async ({ caller }, res, req) => {
    const uploaded = await receivePicture(req, res, caller.uid, pictures.addPrivate);
    if (uploaded) res.status(201).json(uploaded);
  });

  addRoute('GET /pictures/p/:id', async ({ caller, params, query }, res) => {
    res.type('image/webp').end(await pictures.findPrivate(caller.uid, params.id, query.w ?? defaultWidth));
  });

  addRoute('GET /pictures/u/:id', async ({ params, query }, res, req) => {
    const file = await pictures.find(params.id, query.w ?? defaultWidth);
    // The address contains a hash of the file, so the file at this address never changes. No cache may store a response to a
    // request with a token (see `cacheHeaders`).
    if (req.headers.authorization === undefined) res.set('Cache-Control', 'public, max-age=31536000, immutable');
    res.type('image/webp').end(file);
  });
}
