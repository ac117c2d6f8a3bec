import type { AddRoute } from '../http/contract-router.ts';
import type { NewsEmailStore } from './emails.store.ts';

interface NewsEmailRoutesOptions {
  emails: NewsEmailStore;
  /** False if there is no mail server. */
  isAvailable: boolean;
}

export function addNewsEmailRoutes(addRoute: AddRoute, { emails, isAvailable }: NewsEmailRoutesOptions): void {
  addRoute('GET /account/emails', async ({ caller }, res) => {
    res.json({ isAvailable, isOn: await emails.isOn(caller.uid) });
  });

  addRoute('PUT /account/emails', async ({ caller, body: { isOn } }, res) => {
    await emails.set(caller.uid, isOn);
    res.json({ isAvailable, isOn });
  });

  addRoute('POST /unsubscribe/:key', async ({ params }, res) => {
    await emails.unsubscribe(params.key);
    res.status(204).end();
  });
}
