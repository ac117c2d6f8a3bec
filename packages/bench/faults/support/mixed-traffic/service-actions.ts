import { randomUUID } from 'node:crypto';
import { type Action, type Context, pickFrom } from './checks.ts';
import { randomServiceEdit, randomServiceFields } from './content.ts';
import { type Customer, isListed, type Json, type Service, type ServiceFields } from './model.ts';
import { serviceDetails } from './rows.ts';

/**
 * A withdrawn service or a deleted review can be restored for 10 minutes. The customers of this test restore nothing
 * after 9 minutes, so that the 10 minutes do not end during the request.
 */
export const restoreWithinMs = 9 * 60_000;

const { parse } = JSON;

/** The actions that change services. */
export function createServiceActions(context: Context) {
  const { model, requests, checks, random } = context;
  const pickOwn = ({ services }: Customer) => pickFrom(random, [...services].filter(isListed));

  /** Reads a service after a write of its lister, and compares it with the expected data. */
  async function readBack(
    customer: Customer,
    service: Service,
    sentAt: number,
    previous: string,
    isAlone: () => boolean,
  ): Promise<void> {
    const { status, body } = await requests.read(`/services/${service.id}`, customer);
    if (status !== 200) {
      model.reportDifference(`GET /services/${service.id} responded with ${status} after a write`, [customer, service]);
      return;
    }
    Object.assign(service, checks.timesOf(body as Json, ['updatedAt'], sentAt, previous));
    const title = `GET /services/${service.id} after an edit`;
    checks.compare(title, body, serviceDetails(service), [customer, service], isAlone());
  }

  async function edit(customer: Customer, service: Service, ifMatch?: string): Promise<void> {
    const body = randomServiceEdit(random);
    const fields: ServiceFields = { ...service.fields, ...body };
    const readsPage = random.fraction() < 0.5;
    if (readsPage) await checks.page(service);
    await model.write([service], async (isAlone) => {
      service.versions.push(fields);
      if (random.fraction() < 0.5) await requests.fillCaches(`/services/${service.id}`);
      const sentAt = Date.now();
      const headers = ifMatch === undefined ? {} : { 'If-Match': ifMatch };
      const answer = await requests.send(customer, 'PATCH', `/services/${service.id}`, {
        body,
        headers,
        about: [service],
      });
      if (!checks.isExpected(answer, [200], [customer, service])) return;
      service.fields = fields;
      const previous = service.updatedAt;
      await readBack(customer, service, sentAt, previous, isAlone);
    });
    if (readsPage) await checks.page(service);
  }

  return {
    add: async (customer) => {
      const body = randomServiceFields(random);
      const headers = { 'Idempotency-Key': randomUUID() };
      await model.write([model.newServices], async () => {
        const sentAt = Date.now();
        const answer = await requests.send(customer, 'POST', '/services', { body, headers });
        if (!checks.isExpected(answer, [201], [customer])) return;
        const { insertedId: id } = parse(answer.text) as { insertedId: string };
        const found = await requests.read(`/services/${id}`, customer);
        const times = checks.timesOf(found.body as Json, ['createdAt', 'updatedAt'], sentAt);
        const service: Service = {
          id,
          lister: customer,
          listerName: customer.name,
          // All services of a customer must have the id of the first one.
          listerId: [...customer.services][0]?.listerId ?? String((found.body as Json).listerId),
          fields: body,
          versions: [body],
          ...times,
          withdrawnAt: null,
          reviews: new Map(),
          log: customer.log.slice(-1),
          runningWrites: 0,
          changedAt: model.now() + 1,
        };
        // Another customer may have already found and reviewed the new service. `model` does not contain that review yet,
        // so the counts are not compared here.
        checks.compare(`GET /services/${id} after POST`, found.body, serviceDetails(service), [customer], false);
        model.services.set(id, service);
        customer.services.add(service);
        if (random.fraction() > 0.2) return;
        const repeated = await requests.send(customer, 'POST', '/services', { body, headers, about: [service] });
        if (checks.isExpected(repeated, [201], [customer]))
          checks.compare('the repeated POST /services', parse(repeated.text), parse(answer.text) as Json, [customer]);
      });
    },

    edit: (customer) => {
      const service = pickOwn(customer);
      return service ? edit(customer, service) : false;
    },

    editWithVersion: (customer) => {
      const service = pickOwn(customer);
      return service ? edit(customer, service, `"${Date.parse(service.updatedAt)}-x"`) : false;
    },

    /** Sends an edit of an old version, which must change nothing. */
    editOldVersion: (customer) => {
      const service = pickOwn(customer);
      if (!service) return false;
      return model.write([service], async () => {
        const headers = { 'If-Match': `"${Date.parse(service.updatedAt) - 1}-x"` };
        const sent = { body: randomServiceEdit(random), headers, about: [service] };
        const answer = await requests.send(customer, 'PATCH', `/services/${service.id}`, sent);
        checks.isExpected(answer, [412], [customer, service]);
      });
    },

    withdraw: (customer) => {
      const service = pickOwn(customer);
      if (!service) return false;
      return model.write([service], async () => {
        const answer = await requests.send(customer, 'DELETE', `/services/${service.id}`, { about: [service] });
        if (!checks.isExpected(answer, [200], [customer, service])) return;
        checks.compare('DELETE', parse(answer.text), { acknowledged: true, deletedCount: 1 }, [customer, service]);
        service.withdrawnAt = Date.now();
        const { status } = await requests.read(`/services/${service.id}`, customer);
        if (status !== 404) model.reportDifference(`A withdrawn service responded with ${status}`, [customer, service]);
      });
    },

    restore: (customer) => {
      const isRecent = ({ withdrawnAt }: Service) => withdrawnAt !== null && Date.now() - withdrawnAt < restoreWithinMs;
      const service = pickFrom(random, [...customer.services].filter(isRecent));
      if (!service) return false;
      return model.write([service], async (isAlone) => {
        const path = `/services/${service.id}/restore`;
        const answer = await requests.send(customer, 'POST', path, { about: [service] });
        if (!checks.isExpected(answer, [200], [customer, service])) return;
        const restored = { acknowledged: true, matchedCount: 1, modifiedCount: 1 };
        checks.compare('restore', parse(answer.text), restored, [customer, service]);
        service.withdrawnAt = null;
        const { body } = await requests.read(`/services/${service.id}`, customer);
        const title = `GET /services/${service.id} after its restoration`;
        checks.compare(title, body, serviceDetails(service), [customer, service], isAlone());
      });
    },

    /** Tries to change the service of another customer. */
    editOther: (customer) => {
      const others = [...model.services.values()].filter((service) => isListed(service) && service.lister !== customer);
      const service = pickFrom(random, others);
      if (!service) return false;
      return model.write([service], async (isAlone) => {
        const [method, path, body] = random.pick([
          ['PATCH', `/services/${service.id}`, randomServiceEdit(random)],
          ['DELETE', `/services/${service.id}`, undefined],
          ['POST', `/services/${service.id}/restore`, undefined],
        ] as const);
        const answer = await requests.send(customer, method, path, { ...(body && { body }), about: [service] });
        checks.isExpected(answer, isAlone() ? [403] : [403, 404], [customer, service]);
      });
    },
  } satisfies Record<string, Action>;
}
