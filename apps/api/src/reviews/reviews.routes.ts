import { isSameEmail } from '../auth/is-same-email.ts';
import { ForbiddenError } from '../errors.ts';
import type { AddRoute } from '../http/contract-router.ts';
import { readVersions, sendWithVersion } from '../http/entity-version.ts';
import type { ListStreams } from '../http/list-streams.ts';
import type { AddRead } from '../http/public-reads.ts';
import { relativeReference } from '../http/relative-reference.ts';
import { createPageResponse, sendPage } from '../http/send-page.ts';
import type { ReviewStore } from './reviews.store.ts';
import type { VoteStore } from './votes.store.ts';

interface ReviewRoutesOptions {
  reviews: ReviewStore;
  votes: Pick<VoteStore, 'addTo' | 'addToStream'>;
  listStreams: ListStreams;
}

export function addReviewRoutes(
  addRoute: AddRoute,
  addRead: AddRead,
  { reviews, votes, listStreams }: ReviewRoutesOptions,
): void {
  addRead('GET /allreview', {
    findAll({ caller, query: { serviceId, ...pageParameters } }) {
      if (Object.keys(pageParameters).length > 0) return undefined;
      return votes.addToStream(caller?.uid, reviews.streamByService(serviceId));
    },
    async read({ caller, query }) {
      const page = await reviews.findPageByService(query);
      return createPageResponse(query, { ...page, rows: await votes.addTo(caller?.uid, page.rows) });
    },
  });

  addRoute('GET /review', async ({ caller, query }, res, req) => {
    const { email, ...pageParameters } = query;
    if (!isSameEmail(email, caller.email))
      throw new ForbiddenError('These reviews belong to another customer. Send your own email.');
    if (Object.keys(pageParameters).length === 0) return listStreams.send(res, reviews.streamByAuthor(caller.uid));
    sendPage(req, res, await reviews.findPageByAuthor(caller.uid, query));
  });

  addRoute('GET /review/:id', async ({ caller, params }, res) => {
    const [review] = await votes.addTo(caller?.uid, [await reviews.find(params.id, caller?.uid)]);
    if (review) sendWithVersion(res, review);
  });

  addRoute('POST /review', async ({ caller, headers, body }, res, req) => {
    if (body.email !== undefined && !isSameEmail(body.email, caller.email))
      throw new ForbiddenError(
        'The email in the review is not the one that you are logged in with. Reload the page and send the review again.',
      );
    const result = await reviews.add(caller, body, headers['idempotency-key']);
    res
      .status(201)
      .location(relativeReference(req.path, `/review/${result.insertedId}`))
      .json(result);
  });

  addRoute('PATCH /review/:id', async ({ caller, params, headers, body }, res) => {
    const versions = readVersions(headers['if-match']);
    res.json(await reviews.edit(params.id, caller.uid, body, { versions }));
  });

  addRoute('DELETE /review/:id', async ({ caller, params }, res) => {
    res.json(await reviews.delete(params.id, caller.uid));
  });

  addRoute('POST /review/:id/restore', async ({ caller, params }, res) => {
    res.json(await reviews.restore(params.id, caller.uid));
  });
}
