import { type PictureFault, pictureFault } from '@rtr/shared';
import { type Router as ExpressRouter, Router } from 'express';
import type { Gate } from '../auth/require-customer.ts';
import { sendPage } from '../http/page.ts';
import { HttpError } from '../http/problem.ts';
import { badInput, routesOn } from '../http/route.ts';
import type { Streams } from '../http/stream.ts';
import type { ServiceStore } from './services.store.ts';

interface Parts {
  services: ServiceStore;
  gate: Gate;
  streams: Streams;
  /** Where the web app and its own pictures are. */
  webOrigins: readonly string[];
}

const pictureMessages: Record<PictureFault, string> = {
  malformed: 'must be an http or https URL, or empty',
  credentials: 'must not hold a user name or password',
  private: 'must be on a public host: this one is local or private',
};

export function serviceRoutes({ services, gate, streams, webOrigins }: Parts): ExpressRouter {
  const router = Router();
  const on = routesOn(router, gate);

  on('GET /services', async ({ query }, res, req) => {
    if (Object.keys(query).length === 0) return streams.send(res, services.all());
    sendPage(req, res, await services.page(query));
  });

  on('GET /services/:id', async ({ params }, res) => {
    const service = await services.find(params.id);
    if (!service) throw new HttpError(404, 'There is no service with this id.');
    res.json(service);
  });

  on('POST /services', async ({ who, headers, body }, res) => {
    const fault = body.img === '' ? undefined : pictureFault(body.img, webOrigins);
    if (fault) throw badInput([{ path: 'body.img', message: pictureMessages[fault] }]);
    const result = await services.insert(who.uid, body, headers['idempotency-key']);
    res.status(201).location(`/services/${result.insertedId}`).json(result);
  });

  return router;
}
