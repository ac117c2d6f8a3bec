import { type PictureFault, pictureFault } from '@rtr/shared';
import { type AddRoute, invalidInput } from '../http/contract-router.ts';
import { readVersions } from '../http/entity-version.ts';
import type { AddRead } from '../http/public-reads.ts';
import { relativeReference } from '../http/relative-reference.ts';
import { createPageResponse, sendPage } from '../http/send-page.ts';
import type { ReplyStore } from '../reviews/replies.store.ts';
import type { ServiceStore } from './services.store.ts';

interface ServiceRoutesOptions {
  services: ServiceStore;
  replies: Pick<ReplyStore, 'countUnanswered'>;
  /** The origins that serve the web app and its pictures. */
  webOrigins: readonly string[];
}

/** Headers can contain only ASCII characters, so other characters are percent-encoded as UTF-8. */
const encodeHeader = (words: string) => words.replaceAll(/\P{ASCII}+/gu, encodeURIComponent);

const pictureMessages: Record<PictureFault, string> = {
  malformed: 'must be an http or https URL, or empty',
  credentials: 'must not contain a user name or password',
  private: 'must be on a public host: this one is local or private',
};

export function addServiceRoutes(
  addRoute: AddRoute,
  addRead: AddRead,
  { services, replies, webOrigins }: ServiceRoutesOptions,
): void {
  addRead('GET /services', {
    findAll: ({ query }) => (Object.keys(query).length === 0 ? services.streamAll() : undefined),
    async read({ query }) {
      const { searchedFor, leftOut, unknown, ...page } = await services.findPage(query);
      const { body, headers } = createPageResponse(query, page);
      const words = { 'X-Searched-For': searchedFor, 'X-Left-Out': leftOut, 'X-Unknown-Words': unknown };
      for (const [name, text] of Object.entries(words)) if (text !== undefined) headers[name] = encodeHeader(text);
      return { body, headers };
    },
  });

  addRead('GET /services/suggestions', {
    read: async ({ query }) => ({ body: await services.suggest(query.q) }),
  });

  addRead('GET /areas', { read: async () => ({ body: await services.findAreas() }) });

  addRead('GET /services/:id', {
    async read({ params }) {
      const body = await services.find(params.id);
      return { body, version: Date.parse(body.updatedAt) };
    },
  });

  addRoute('POST /services', async ({ caller, headers, body }, res, req) => {
    checkPicture(body.img);
    const result = await services.insert(caller, body, headers['idempotency-key']);
    res
      .status(201)
      .location(relativeReference(req.path, `/services/${result.insertedId}`))
      .json(result);
  });

  addRoute('PATCH /services/:id', async ({ caller, params, headers, body }, res) => {
    checkPicture(body.img);
    res.json(await services.edit(params.id, caller.uid, body, readVersions(headers['if-match'])));
  });

  addRoute('DELETE /services/:id', async ({ caller, params }, res) => {
    res.json(await services.withdraw(params.id, caller.uid));
  });

  addRoute('POST /services/:id/restore', async ({ caller, params }, res) => {
    res.json(await services.restore(params.id, caller.uid));
  });

  addRoute('GET /account/services', async ({ caller, query }, res, req) => {
    const page = await services.findPageByLister(caller.uid, query);
    const rows = await Promise.all(
      page.rows.map(async (service) => ({ ...service, unansweredCount: await replies.countUnanswered(service) })),
    );
    sendPage(req, res, { ...page, rows });
  });

  function checkPicture(img = ''): void {
    const fault = img === '' ? undefined : pictureFault(img, webOrigins);
    if (fault) throw invalidInput([{ path: 'body.img', message: pictureMessages[fault] }]);
  }
}
