import type { AddRoute } from '../http/contract-router.ts';
import { sendPage } from '../http/send-page.ts';
import type { ReplyStore } from './replies.store.ts';

export function addReplyRoutes(addRoute: AddRoute, replies: ReplyStore): void {
  addRoute('PUT /review/:id/reply', async ({ caller, params, body }, res) => {
    res.json(await replies.put(params.id, caller, body.text));
  });

  addRoute('DELETE /review/:id/reply', async ({ caller, params }, res) => {
    res.json(await replies.delete(params.id, caller.uid));
  });

  addRoute('GET /account/replies', async ({ caller, query }, res, req) => {
    sendPage(req, res, await replies.findPageByLister(caller.uid, query));
  });
}
