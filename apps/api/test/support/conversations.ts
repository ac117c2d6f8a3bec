import type { Conversation, ConversationDetails } from '@rtr/shared';
import { bearer } from './bearer.ts';
import { drawPicture } from './draw-picture.ts';
import type { TestApp, TestCustomer } from './test-app.ts';

/** Creates the functions with which tests begin, continue and read conversations. */
export function createConversationTest({ api }: Pick<TestApp, 'api'>) {
  const withKey = (sender: TestCustomer, key?: string) => ({
    ...bearer(sender),
    ...(key !== undefined && { 'Idempotency-Key': key }),
  });
  const ask = (sender: TestCustomer, serviceId: string, body: object = { text: 'How much?' }, key?: string) =>
    api.post(`/services/${serviceId}/requests`).set(withKey(sender, key)).send(body);
  const send = (sender: TestCustomer, id: string, body: object = { text: 'From $100' }, key?: string) =>
    api.post(`/requests/${id}/messages`).set(withKey(sender, key)).send(body);

  return {
    ask,
    send,
    async begin(sender: TestCustomer, serviceId: string, body?: object): Promise<string> {
      return (await ask(sender, serviceId, body).expect(201)).body.insertedId;
    },
    async reply(sender: TestCustomer, id: string, body?: object): Promise<string> {
      return (await send(sender, id, body).expect(201)).body.insertedId;
    },
    async list(reader: TestCustomer, query = ''): Promise<Conversation[]> {
      return (await api.get(`/requests${query}`).set(bearer(reader)).expect(200)).body;
    },
    async read(reader: TestCustomer, id: string): Promise<ConversationDetails> {
      return (await api.get(`/requests/${id}`).set(bearer(reader)).expect(200)).body;
    },
    close: (sender: TestCustomer, id: string) => api.post(`/requests/${id}/close`).set(bearer(sender)),
    markRead: (reader: TestCustomer, id: string, until: string) =>
      api.post(`/requests/${id}/read`).set(bearer(reader)).send({ until }),
    async addService(lister: TestCustomer, fields: object = {}): Promise<string> {
      const body = { title: 'Hood repair', ...fields };
      return (await api.post('/services').set(bearer(lister)).send(body).expect(201)).body.insertedId;
    },
    /** Uploads a picture of this width. Returns the id of a private picture. */
    async uploadPrivate(customer: TestCustomer, width: number): Promise<string> {
      const upload = api.post('/pictures/p').set({ ...bearer(customer), 'Content-Type': 'image/png' });
      return (await upload.send(await drawPicture(width).png().toBuffer()).expect(201)).body.id;
    },
  };
}
