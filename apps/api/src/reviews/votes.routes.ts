import type { AddRoute } from '../http/contract-router.ts';
import { sendPage } from '../http/send-page.ts';
import type { VoteStore } from './votes.store.ts';

export function addVoteRoutes(addRoute: AddRoute, votes: VoteStore): void {
  addRoute('PUT /review/:id/useful', async ({ caller, params }, res) => {
    res.json(await votes.setUseful(params.id, caller.uid, true));
  });

  addRoute('DELETE /review/:id/useful', async ({ caller, params }, res) => {
    res.json(await votes.setUseful(params.id, caller.uid, false));
  });

  addRoute('GET /account/votes', async ({ caller, query }, res, req) => {
    sendPage(req, res, await votes.findPageByVoter(caller.uid, query));
  });
}
