import type { AddRoute } from '../http/contract-router.ts';
import { createEtag, sendUnlessKnown } from '../http/entity-version.ts';
import { relativeReference } from '../http/relative-reference.ts';
import { sendPage } from '../http/send-page.ts';
import type { ConversationStore } from './requests.store.ts';

/** Adds the routes of conversations. In addresses, a conversation is called a request. */
export function addConversationRoutes(addRoute: AddRoute, conversations: ConversationStore): void {
  addRoute('POST /services/:id/requests', async ({ caller, params, headers, body }, res, req) => {
    const result = await conversations.open(caller, params.id, body, headers['idempotency-key']);
    res
      .status(201)
      .location(relativeReference(req.path, `/requests/${result.insertedId}`))
      .json(result);
  });

  addRoute('GET /requests', async ({ caller, query }, res, req) => {
    sendPage(req, res, await conversations.findPage(caller.uid, query));
  });

  addRoute('GET /requests/:id', async ({ caller, params }, res, req) => {
    const { version, readDetails } = await conversations.find(caller.uid, params.id);
    await sendUnlessKnown(req, res, createEtag([version]), readDetails);
  });

  addRoute('POST /requests/:id/messages', async ({ caller, params, headers, body }, res) => {
    res.status(201).json(await conversations.send(caller.uid, params.id, body, headers['idempotency-key']));
  });

  addRoute('POST /requests/:id/close', async ({ caller, params }, res) => {
    await conversations.close(caller.uid, params.id);
    res.status(204).end();
  });

  addRoute('POST /requests/:id/read', async ({ caller, params, body }, res) => {
    await conversations.markRead(caller.uid, params.id, new Date(body.until));
    res.status(204).end();
  });
}
