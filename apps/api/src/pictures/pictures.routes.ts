import { promisify } from 'node:util';
import { limits } from '@rtr/shared';
import express from 'express';
import { UnsupportedMediaError } from '../errors.ts';
import type { AddRoute } from '../http/contract-router.ts';
import { pictureTypes } from './encode-picture.ts';
import type { PictureStore } from './pictures.store.ts';
import { createUploadLimits } from './upload-limits.ts';

const defaultWidth = 1280;
const readBody = promisify(express.raw({ type: pictureTypes, limit: limits.pictureBytes, inflate: false }));

export function addPictureRoutes(addRoute: AddRoute, pictures: PictureStore): void {
  const reserveUpload = createUploadLimits();

  addRoute('POST /pictures', async ({ caller }, res, req) => {
    const contentLength = req.headers['content-length'];
    const release = reserveUpload(caller.uid, contentLength === undefined ? undefined : Number(contentLength));
    const clientGone = new AbortController();
    res.once('close', () => clientGone.abort());
    try {
      await readBody(req, res);
      const contentType = req.is(pictureTypes);
      if (!contentType || !Buffer.isBuffer(req.body))
        throw new UnsupportedMediaError(
          `Send the picture as the body, with its Content-Type: ${pictureTypes.join(', ')}.`,
        );
      const uploaded = await pictures.add(caller.uid, req.body, contentType, clientGone.signal);
      res.status(201).location(new URL(uploaded.url).pathname).json(uploaded);
    } catch (error) {
      if (error !== clientGone.signal.reason && !isAbortedRequest(error)) throw error;
    } finally {
      // After the client has aborted the upload, the API may still be decoding the picture. So the memory that is
      // reserved for this upload is released only after `add` has ended.
      release();
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

/** True for the error of the body parser if the client disconnected before it sent the complete body. */
const isAbortedRequest = (error: unknown) =>
  error instanceof Error && 'type' in error && error.type === 'request.aborted';
