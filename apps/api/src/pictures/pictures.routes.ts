import { limits } from '@rtr/shared';
import express, { type RequestHandler } from 'express';
import type { Customer } from '../auth/access-token.ts';
import { UnavailableError, UnsupportedMediaError } from '../errors.ts';
import type { AddRoute } from '../http/contract-router.ts';
import { pictureTypes } from './encode-picture.ts';
import type { PictureStore } from './pictures.store.ts';

/** The number of uploads whose bytes are in memory at the same time. */
const maxUploadCount = 8;
const maxUploadsPerCustomer = 2;
const retryAfterSeconds = 5;
const defaultWidth = 1280;

export function addPictureRoutes(addRoute: AddRoute, pictures: PictureStore): void {
  addRoute(
    'POST /pictures',
    async ({ caller }, res, req) => {
      const contentType = req.is(pictureTypes);
      if (!contentType || !Buffer.isBuffer(req.body))
        throw new UnsupportedMediaError(
          `Send the picture as the body, with its Content-Type: ${pictureTypes.join(', ')}.`,
        );
      const uploaded = await pictures.add(caller.uid, req.body, contentType);
      res.status(201).location(new URL(uploaded.url).pathname).json(uploaded);
    },
    [limitUploads(), express.raw({ type: pictureTypes, limit: limits.pictureBytes, inflate: false })],
  );

  addRoute('GET /pictures/u/:id', async ({ params, query }, res) => {
    const file = await pictures.find(params.id, query.w ?? defaultWidth);
    // The address contains a hash of the file, so its content never changes.
    res.set('Cache-Control', 'public, max-age=31536000, immutable').type('image/webp');
    res.end(file);
  });
}

/**
 * Limits the memory for uploads, and the uploads of one customer. The slot of an upload is free again when its response has
 * been sent or aborted.
 */
function limitUploads(): RequestHandler {
  const uploaders: string[] = [];
  return (_req, res, next) => {
    const { uid } = res.locals.caller as Customer;
    const ownCount = uploaders.filter((other) => other === uid).length;
    if (uploaders.length >= maxUploadCount || ownCount >= maxUploadsPerCustomer)
      throw new UnavailableError('Too many pictures are being uploaded right now. Try again.', retryAfterSeconds);
    uploaders.push(uid);
    res.once('close', () => {
      uploaders.splice(uploaders.indexOf(uid), 1);
    });
    next();
  };
}
