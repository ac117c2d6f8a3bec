import type { AddRoute } from '../http/contract-router.ts';
import { createEtag, sendUnlessKnown } from '../http/entity-version.ts';
import { sendPage } from '../http/send-page.ts';
import type { NewsStore } from './news.store.ts';

export function addNewsRoutes(addRoute: AddRoute, news: NewsStore): void {
  addRoute('GET /news', async ({ caller, query }, res, req) => {
    sendPage(req, res, await news.findPage(caller.uid, query));
  });

  addRoute('GET /news/count', async ({ caller }, res, req) => {
    const body = { count: await news.countNew(caller.uid) };
    await sendUnlessKnown(req, res, createEtag([JSON.stringify(body)]), () => body);
  });

  addRoute('POST /news/seen', async ({ caller, body }, res) => {
    await news.markSeen(caller.uid, new Date(body.until));
    res.status(204).end();
  });
}
