import type { AddRoute } from '../http/contract-router.ts';
import { sendPage } from '../http/send-page.ts';
import type { ModerationStore } from './moderation.store.ts';
import type { ReportStore } from './reports.store.ts';

interface ModerationRoutesOptions {
  reports: ReportStore;
  moderation: ModerationStore;
}

export function addModerationRoutes(addRoute: AddRoute, { reports, moderation }: ModerationRoutesOptions): void {
  addRoute('POST /review/:id/report', async ({ caller, params, body }, res) => {
    const { report, isNew } = await reports.report(caller.uid, 'review', params.id, body);
    res.status(isNew ? 201 : 200).json(report);
  });

  addRoute('POST /services/:id/report', async ({ caller, params, body }, res) => {
    const { report, isNew } = await reports.report(caller.uid, 'service', params.id, body);
    res.status(isNew ? 201 : 200).json(report);
  });

  addRoute('POST /messages/:id/report', async ({ caller, params, body }, res) => {
    const { report, isNew } = await reports.reportMessage(caller.uid, params.id, body);
    res.status(isNew ? 201 : 200).json(report);
  });

  addRoute('POST /review/:id/appeal', async ({ caller, params, body }, res) => {
    await reports.appeal(caller.uid, 'review', params.id, body);
    res.status(204).end();
  });

  addRoute('POST /services/:id/appeal', async ({ caller, params, body }, res) => {
    await reports.appeal(caller.uid, 'service', params.id, body);
    res.status(204).end();
  });

  addRoute('GET /account/reports', async ({ caller, query }, res, req) => {
    sendPage(req, res, await reports.findReportsOf(caller.uid, query));
  });

  addRoute('GET /moderation', async ({ caller, query }, res, req) => {
    sendPage(req, res, await moderation.findCases(caller.uid, query));
  });

  addRoute('POST /moderation/:id', async ({ caller, params, body }, res) => {
    res.json(await moderation.act(caller, params.id, body));
  });
}
