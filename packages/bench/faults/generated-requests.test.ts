import { strict as assert } from 'node:assert';
import { type OpenApiDocument, operationAt, operationsOf, tokenOf } from '@rtr/conformance/document';
import { createResponseCheck } from '@rtr/conformance/response-check';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { call } from './support/client.ts';
import { createRandom, isLong, ms, percentile, printFigures } from './support/figures.ts';
import { createInstallation } from './support/installation.ts';
import { type Resources, readResources } from './support/mixed-traffic/resources.ts';
import { createKnownData, learnFrom } from './support/requests/known-data.ts';
import { type PreparedRequest, prepareRequest } from './support/requests/prepare-request.ts';
import { rawRequests, sendRaw } from './support/requests/raw-requests.ts';
import { type IdentityKind, type RequestPlan, requestPlans } from './support/requests/request-plans.ts';
import { describeRequest, type Response, sendRequest } from './support/requests/send-request.ts';

const requestCount = isLong ? 50_000 : 5000;
/**
 * The number of customers and moderators who send the requests. Each of them may send only 120 writes per minute, so
 * more requests need more people.
 */
const peopleCount = isLong ? 300 : 50;
/** The number of clients that send well-formed HTTP. */
const clientCount = 6;
/** The number of raw clients. A raw client writes bytes to a socket, and these are often malformed HTTP. */
const rawClientCount = 2;
/** The share of all requests that is sent by the raw clients. */
const rawShare = 0.1;
/** The memory is measured after each round. */
const roundCount = 5;
/** The goal for the slowest response. Without FAULTS=long, more is allowed, because the machine may be busy. */
const answerGoalMs = 1000;
const maxAnswerMs = isLong ? answerGoalMs : 5000;
const maxHeapGrowth = 1.3;
/** With some seeds, an operation has not succeeded after all rounds. Then at most this number of rounds is added. */
const maxExtraRounds = 10;
/**
 * The largest share of requests that a limit may reject. The API does not process a rejected request further, so with a
 * larger share the test could miss faults.
 */
const maxLimitedShare = 0.05;

const random = createRandom('generated requests');
const installation = await createInstallation();
const { origin: api = '' } = installation.apis[0] ?? {};
const document = JSON.parse((await call(api, '/openapi.json')).text) as OpenApiDocument;
const data = await createKnownData(installation, peopleCount);

interface Sent {
  operation: string;
  status: number;
  durationMs: number;
}
/** A description of the request that took longest. */
let slowest = { durationMs: 0, request: '' };

test('every generated request gets a response that the OpenAPI document allows, in time and with constant memory', async () => {
  const check = createResponseCheck(document);
  const sent: Sent[] = [];
  const startedAt = performance.now();
  const resources: Resources[] = [];
  for (let round = 0; round < roundCount; round += 1) {
    await sendAll(requestCount / roundCount, sent, check);
    resources.push(...(await readResources(installation.apis)));
  }
  const seconds = (performance.now() - startedAt) / 1000;

  const limited = sent.filter(({ status }) => status === 429);
  const p99Ms = percentile(
    sent.map(({ durationMs }) => durationMs),
    0.99,
  );
  const rarest = findRarest(sent);
  printFigures(
    `generated requests: ${sent.length} in ${Math.round(seconds)} s; ${formatStatuses(sent)}; ${rarest.count} × ${rarest.operation} with success, other operations more often; p99 ${ms(p99Ms)}, the slowest ${ms(slowest.durationMs)} (${slowest.request.split('\n')[0]}), the goal is ${ms(answerGoalMs)}; after each fifth, heap ${formatMb(resources.map(({ heapMb }) => heapMb))} and RSS ${formatMb(resources.map(({ residentMb }) => residentMb))}`,
  );
  expect(slowest.durationMs, slowest.request).toBeLessThan(maxAnswerMs);
  const maxHeapMb = maxHeapGrowth * (resources[0]?.heapMb ?? 0);
  // Some memory, such as large buffers, is freed only a moment after a garbage collection. So repeat the measurement.
  await expect.poll(async () => (await readResources(installation.apis))[0]?.heapMb).toBeLessThan(maxHeapMb);
  await expect.poll(async () => (await readResources(installation.apis))[0]?.requestCount).toBe(0);
  expect(limited.length / sent.length).toBeLessThan(maxLimitedShare);
  // Send more requests until every operation has succeeded at least once. Failed requests alone hardly test an
  // operation.
  for (let extra = 0; findRarest(sent).count === 0 && extra < maxExtraRounds; extra += 1)
    await sendAll(requestCount / roundCount, sent, check);
  const { operation, count } = findRarest(sent);
  expect(count, operation).toBeGreaterThan(0);
});

/** Returns the operation that has succeeded least often. */
function findRarest(sent: readonly Sent[]): { operation: string; count: number } {
  const counts = operationsOf(document).map(({ method, path }) => {
    const operation = `${method.toUpperCase()} ${path}`;
    return { operation, count: sent.filter((one) => one.operation === operation && one.status < 300).length };
  });
  return counts.reduce((rarest, next) => (next.count < rarest.count ? next : rarest));
}

type Check = ReturnType<typeof createResponseCheck>;

/**
 * Sends requests from several clients at a time. If a request fails, fast-check searches for a smaller request that
 * also fails, and the promise rejects with a description of that request.
 */
async function sendAll(count: number, sent: Sent[], check: Check): Promise<void> {
  const plans = fc.asyncProperty(requestPlans(document), (plan) => sendPlan(plan, sent, check));
  const raw = fc.asyncProperty(rawRequests, (bytes) => sendBytes(bytes, sent));
  const results = await Promise.allSettled([
    ...Array.from({ length: clientCount }, () => checkProperty(plans, (count * (1 - rawShare)) / clientCount)),
    ...Array.from({ length: rawClientCount }, () => checkProperty(raw, (count * rawShare) / rawClientCount)),
  ]);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

async function checkProperty<T>(property: fc.IAsyncProperty<[T]>, runCount: number): Promise<void> {
  const details = await fc.check(property, { numRuns: Math.ceil(runCount), seed: random.integer(0, 2 ** 31 - 1) });
  if (!details.failed) return;
  const { numRuns, numShrinks, errorInstance } = details;
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  throw new Error(`Request ${numRuns} of a client fails. Made smaller ${numShrinks} times, it is:\n${message}`);
}

async function sendPlan(plan: RequestPlan, sent: Sent[], check: Check): Promise<void> {
  const request = await prepareRequest(plan, data, installation);
  const { operation, method, target, identityKind } = request;
  const isOperation = operation.startsWith(`${method} `);
  try {
    const send = async () => {
      const response = await sendRequest(api, request).catch((error: NodeJS.ErrnoException) => {
        if (canLoseResponse(request) && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) return lostResponse;
        throw error;
      });
      const { status, durationMs } = response;
      sent.push({ operation: isOperation ? operation : 'other', status, durationMs });
      if (durationMs > slowest.durationMs) slowest = { durationMs, request: describeRequest(request) };
      return response;
    };
    let response = await send();
    // On a busy machine, a request may time out, so it is sent again. If the cause is an error in the API, the second
    // request fails too.
    if (response.status === 503 && !isLong) response = await send();
    const { status, headers } = response;
    assert(status < 500, `The status is ${status}.`);
    if (hasNoApiResponse(request, response)) return;
    const body = check(method, target, response);
    if (!isOperation) return;
    if (status < 300) checkToken(request);
    const customer = identityKind === 'none' ? undefined : request.customer;
    learnFrom({ operation, status, target, customer, headers, body }, data);
  } catch (cause) {
    throw new Error(`${cause instanceof Error ? cause.message : String(cause)}\n${describeRequest(request)}`, {
      cause,
    });
  }
}

/**
 * For each result of `tokenOf`, the kinds of Authorization header that the API may accept. Undefined if the operation
 * needs no token.
 */
const validKinds: Record<ReturnType<typeof tokenOf>, readonly IdentityKind[] | undefined> = {
  none: undefined,
  optional: ['none', 'customer', 'owner', 'moderator'],
  accessToken: ['customer', 'owner', 'moderator'],
  firebaseIdToken: ['idToken', 'oddIdToken'],
};

/** Throws an error if the API has accepted an invalid token. */
function checkToken({ method, target, identityKind }: PreparedRequest): void {
  const place = operationAt(document, method.toLowerCase(), target);
  const valid = place && validKinds[tokenOf(place.operation)];
  assert(!valid || valid.includes(identityKind), `The API has accepted a token of the kind ${identityKind}.`);
}

/**
 * True if the response was lost, or if the HTTP server of Node.js has rejected the headers of the request, so that the API did
 * not receive it. The API sets X-Request-Id on each response.
 */
function hasNoApiResponse(request: PreparedRequest, { status, text, headers }: Response): boolean {
  if (status === lostResponse.status) return true;
  if (headers.has('X-Request-Id') || text !== '') return false;
  if (status === 417) return request.headers.some(([name]) => name === 'Expect');
  return status === 431 && isTooLong(request);
}

/** True if the headers may be too long for the HTTP server of Node.js. */
function isTooLong({ target, headers }: PreparedRequest): boolean {
  return target.length + headers.flat().join('').length > 10_000;
}

/**
 * True if the server may close the connection while the client is still sending, because the headers are too long, or because
 * the client asks for it and the body is large. This resets the connection, and the response can be lost.
 */
function canLoseResponse(request: PreparedRequest): boolean {
  const asksToClose = request.headers.some(([name, value]) => name === 'Connection' && value === 'close');
  return isTooLong(request) || (asksToClose && (request.body?.length ?? 0) > 100_000);
}

/** Stands for a response that was lost. */
const lostResponse: Response = { status: 0, headers: new Headers(), text: '', durationMs: 0 };

async function sendBytes(bytes: string, sent: Sent[]): Promise<void> {
  const { text, durationMs } = await sendRaw(api, bytes);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
  sent.push({ operation: 'malformed HTTP', status, durationMs });
  if (durationMs > slowest.durationMs) slowest = { durationMs, request: JSON.stringify(bytes.slice(0, 1000)) };
  assert(text === '' || status !== 0, `The response begins with ${JSON.stringify(text.slice(0, 100))}.`);
  assert(status < 500, `The status is ${status}: ${text.slice(0, 1000)}`);
}

function formatStatuses(sent: readonly Sent[]): string {
  const counts = [...Map.groupBy(sent, ({ status }) => status)].toSorted(([a], [b]) => a - b);
  return counts.map(([status, { length }]) => `${length} × ${status || 'closed'}`).join(', ');
}

const formatMb = (values: readonly number[]) => `${values.map(Math.round).join(', ')} MB`;
