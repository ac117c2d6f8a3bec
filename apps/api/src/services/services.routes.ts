import { type PictureFault, pictureFault } from '@rtr/shared';
import { type Router as ExpressRouter, Router } from 'express';
import type { Authenticator } from '../auth/authenticator.ts';
import { contractRouter, invalidInput } from '../http/contract-router.ts';
import type { ListStreams } from '../http/list-streams.ts';
import { sendPage } from '../http/send-page.ts';
import type { ServiceStore } from './services.store.ts';

interface ServiceRoutesOptions {
  services: ServiceStore;
  authenticator: Authenticator;
  listStreams: ListStreams;
  /** The origins that serve the web app and its pictures. */
  webOrigins: readonly string[];
}

const pictureMessages: Record<PictureFault, string> = {
  malformed: 'must be an http or https URL, or empty',
  credentials: 'must not contain a user name or password',
  private: 'must be on a public host: this one is local or private',
};

export function serviceRoutes({
  services,
  authenticator,
  listStreams,
  webOrigins,
}: ServiceRoutesOptions): ExpressRouter {
  const router = Router();
  const route = contractRouter(router, authenticator);

  route('GET /services', async ({ query }, res, req) => {
    if (Object.keys(query).length === 0) return listStreams.send(res, services.streamAll());
    sendPage(req, res, await services.findPage(query));
  });

  route('GET /services/:id', async ({ params }, res) => {
    res.json(await services.find(params.id));
  });

  route('POST /services', async ({ caller, headers, body }, res) => {
    const fault = body.img === '' ? undefined : pictureFault(body.img, webOrigins);
    if (fault) throw invalidInput([{ path: 'body.img', message: pictureMessages[fault] }]);
    const result = await services.insert(caller.uid, body, headers['idempotency-key']);
    res.status(201).location(`/services/${result.insertedId}`).json(result);
  });

  return router;
}
