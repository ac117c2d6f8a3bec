import { type PictureFault, pictureFault } from '@rtr/shared';
import { type AddRoute, invalidInput } from '../http/contract-router.ts';
import { readVersions, sendWithVersion } from '../http/entity-version.ts';
import type { ListStreams } from '../http/list-streams.ts';
import { sendPage } from '../http/send-page.ts';
import type { ReplyStore } from '../reviews/replies.store.ts';
import type { ServiceStore } from './services.store.ts';

interface ServiceRoutesOptions {
  services: ServiceStore;
  replies: Pick<ReplyStore, 'countUnanswered'>;
  listStreams: ListStreams;
  /** The origins that serve the web app and its pictures. */
  webOrigins: readonly string[];
}

/** Headers have only ASCII characters, so other characters are percent-encoded as UTF-8. */
const encodeHeader = (words: string) => words.replaceAll(/\P{ASCII}+/gu, encodeURIComponent);

const pictureMessages: Record<PictureFault, string> = {
  malformed: 'must be an http or https URL, or empty',
  credentials: 'must not contain a user name or password',
  private: 'must be on a public host: this one is local or private',
};

export function addServiceRoutes(
  addRoute: AddRoute,
  { services, replies, listStreams, webOrigins }: ServiceRoutesOptions,
): void {
  addRoute('GET /services', async ({ query }, res, req) => {
    if (Object.keys(query).length === 0) return listStreams.send(res, services.streamAll());
    const { searchedFor, ...page } = await services.findPage(query);
    if (searchedFor !== undefined) res.set('X-Searched-For', encodeHeader(searchedFor));
    sendPage(req, res, page);
  });

  addRoute('GET /services/suggestions', async ({ query }, res) => {
    res.json(await services.suggest(query.q));
  });

  addRoute('GET /services/:id', async ({ params }, res) => {
    sendWithVersion(res, await services.find(params.id));
  });

  addRoute('POST /services', async ({ caller, headers, body }, res) => {
    checkPicture(body.img);
    const result = await services.insert(caller, body, headers['idempotency-key']);
    res.status(201).location(`/services/${result.insertedId}`).json(result);
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
