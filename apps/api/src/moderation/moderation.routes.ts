import type { AddRoute } from '../http/contract-router.ts';
import { sendPage } from '../http/send-page.ts';
import type { PictureStore } from '../pictures/pictures.store.ts';
import type { ModerationStore } from './moderation.store.ts';
import type { ReportStore } from './reports.store.ts';

interface ModerationRoutesOptions {
  reports: ReportStore;
  moderation: ModerationStore;
  pictures: Pick<PictureStore, 'findForModerator'>;
}

export function addModerationRoutes(
  addRoute: AddRoute,
  { reports, moderation, pictures }: ModerationRoutesOptions,
): void {
  addRoute('POST /review/:id/report', async ({ caller, params, body }, res) => {
    const { report, isNew } = await reports.reportReview(caller.uid, params.id, body);
    res.status(isNew ? 201 : 200).json(report);
  });

  addRoute('POST /services/:id/report', async ({ caller, params, body }, res) => {
    const { report, isNew } = await reports.reportService(caller.uid, params.id, body);
    res.status(isNew ? 201 : 200).json(report);
  });

  addRoute('GET /account/reports', async ({ caller, query }, res, req) => {
    sendPage(req, res, await reports.findReportsOf(caller.uid, query));
  });

  addRoute('GET /moderation', async ({ query }, res, req) => {
    sendPage(req, res, await moderation.findCases(query));
  });

  addRoute('POST /moderation/:id', async ({ caller, params, body }, res) => {
    res.json(await moderation.act(caller.uid, params.id, body));
  });

  addRoute('GET /moderation/pictures/:id', async ({ params }, res) => {
    const file = await pictures.findForModerator(params.id);
    // Only moderators may read the file of a hidden picture, so caches must not store it.
    res.set('Cache-Control', 'private, no-store').type('image/webp');
    res.end(file);
  });
}
