import { type Router as ExpressRouter, Router } from 'express';
import type { Gate } from '../auth/require-customer.ts';
import { sendPage } from '../http/page.ts';
import { HttpError } from '../http/problem.ts';
import { routesOn } from '../http/route.ts';
import type { Streams } from '../http/stream.ts';
import type { ServiceStore } from '../services/services.store.ts';
import type { ReviewStore } from './reviews.store.ts';

interface Parts {
  reviews: ReviewStore;
  services: Pick<ServiceStore, 'findForReview'>;
  gate: Gate;
  streams: Streams;
}

export function reviewRoutes({ reviews, services, gate, streams }: Parts): ExpressRouter {
  const router = Router();
  const on = routesOn(router, gate);

  on('GET /allreview', async ({ query }, res, req) => {
    const { serviceId, ...paging } = query;
    if (Object.keys(paging).length === 0) return streams.send(res, reviews.allOfService(serviceId));
    sendPage(req, res, await reviews.pageOfService(query));
  });

  on('GET /review', async ({ who, query }, res, req) => {
    if (!isSameEmail(query.email, who.email))
      throw new HttpError(403, 'These are somebody else’s reviews: ask for your own email.');
    const { email: _, ...paging } = query;
    if (Object.keys(paging).length === 0) return streams.send(res, reviews.allOfCustomer(who.uid));
    sendPage(req, res, await reviews.pageOfCustomer(who.uid, query));
  });

  on('GET /review/:id', async ({ who, params }, res) => {
    const review = await reviews.find(params.id, who?.uid);
    if (!review) throw new HttpError(404, 'There is no review with this id.');
    res.json(review);
  });

  on('POST /review', async ({ who, headers, body }, res) => {
    if (body.email !== undefined && !isSameEmail(body.email, who.email))
      throw new HttpError(
        403,
        'This email is not yours: a review is signed with the email that you are logged in with.',
      );
    const found = await services.findForReview(body.serviceId, who.uid);
    if (!found) throw new HttpError(404, 'There is no service with this id.');
    const result = await reviews.insert({ ...found, author: who, input: body, key: headers['idempotency-key'] });
    res.status(201).location(`/review/${result.insertedId}`).json(result);
  });

  on('PATCH /review/:id', async ({ who, params, body }, res) => {
    res.json(await reviews.edit(params.id, who.uid, body));
  });

  on('DELETE /review/:id', async ({ who, params }, res) => {
    res.json(await reviews.remove(params.id, who.uid));
  });

  on('POST /review/:id/restore', async ({ who, params }, res) => {
    res.json(await reviews.restore(params.id, who.uid));
  });

  return router;
}

/** Emails are only compared; what a customer may touch is decided by uid. */
function isSameEmail(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
