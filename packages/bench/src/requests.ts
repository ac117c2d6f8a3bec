import { accessTokenOf, type Customer } from './customers.ts';

/** The number of pages before the page that is measured as "deep". A page has 100 rows. */
const pagesBeforeDeep = 50;

/** Creates the functions that send requests to the API, for visitors and for the given customers. */
export async function createRequests(
  addresses: { api: string; authEmulator?: string | undefined },
  customers: readonly Customer[],
) {
  const tokens = new Map(
    await Promise.all(
      customers.map(async (customer) => [customer.uid, await accessTokenOf(addresses, customer)] as const),
    ),
  );
  const urlOf = (path: string) => `${addresses.api}${path}`;
  const headersOf = (customer?: Customer): Record<string, string> => ({
    // Bypasses the cache of the API, so that each request reads from the database.
    'cache-control': 'no-cache',
    ...(customer && { authorization: `Bearer ${tokens.get(customer.uid)}` }),
  });

  return {
    get: (path: string, customer?: Customer) => async () => {
      const response = await fetch(urlOf(path), { headers: headersOf(customer) });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`GET ${path} returned ${response.status}`);
    },

    /** Sends a request that changes data. Returns the id of the row that was added, or an empty text. */
    async send(customer: Customer, method: string, path: string, body?: object): Promise<string> {
      const response = await fetch(urlOf(path), {
        method,
        headers: { ...headersOf(customer), 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const result = (await response.json()) as { insertedId?: string };
      if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${JSON.stringify(result)}`);
      return result.insertedId ?? '';
    },

    /** Returns the path of a page that is deep in a list. */
    async deepPageOf(path: string, customer?: Customer): Promise<string> {
      let next = `${path}&limit=100`;
      for (let page = 0; page < pagesBeforeDeep; page += 1) {
        const { headers } = await fetch(urlOf(next), { headers: headersOf(customer) });
        const link = /^<([^>]*)>/.exec(headers.get('link') ?? '')?.[1];
        if (link === undefined) break;
        const { pathname, search } = new URL(link, urlOf(next));
        next = pathname + search;
      }
      return next.replace('limit=100', 'limit=20');
    },
  };
}
