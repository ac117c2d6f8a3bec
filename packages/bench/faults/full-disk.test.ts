import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Answer, call, isUnavailable, waitUntil } from './support/client.ts';
import { expectNothingLost } from './support/comparison.ts';
import { createDisk } from './support/disk.ts';
import { createRandom, isLong, ms, printFigures } from './support/figures.ts';
import { runningOf, startInstallation } from './support/installation.ts';
import { createServices, startWriters } from './support/writers.ts';

const maxAnswerMs = 4000;
const busyMachineMs = 4000;

const random = createRandom('full disk');
const disk = createDisk();
if ('missing' in disk) printFigures(`full disk: skipped, because no disk can be created: ${disk.missing}`);

/** Repeats a call until the promise is settled. Returns all answers. */
async function repeatUntil(ended: Promise<unknown>, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  const stopping = new AbortController();
  void ended.finally(() => stopping.abort());
  while (!stopping.signal.aborted) {
    answers.push(await send());
    await sleep(20);
  }
  return answers;
}

test.skipIf('missing' in disk)(
  'while the disk of the database is full, the API returns 503 for requests that it cannot serve, and no acknowledged write is lost',
  async () => {
    if ('missing' in disk) return;
    onTestFinished(() => disk.remove());
    const installation = await startInstallation({ dataFolder: disk.dataFolder });
    onTestFinished(() => installation.stop());
    const { mongodb, db } = installation;
    const origin = installation.apis[0]?.origin ?? '';
    const [lister, reporter] = [await installation.signUp('lister'), await installation.signUp('reporter')];
    const serviceIds = await createServices(installation, lister, 10);
    const [serviceId = ''] = serviceIds;
    const read = () => call(origin, `/services/${serviceId}`, { headers: { 'Cache-Control': 'no-cache' } });
    const report = () => {
      const body = { reason: 'spam', text: '' };
      return call(origin, `/services/${serviceId}/report`, { method: 'POST', token: reporter.token, body });
    };
    const add = () => call(origin, '/services', { method: 'POST', token: lister.token, body: { title: 'Full' } });

    // MongoDB must create a new file for the next report, because the collection is dropped. This fails at once on a
    // full disk. Other writes succeed as long as they fit into the journal.
    await db.collection('reports').drop();
    const other = await db.createCollection('other');
    // The restart frees the space of the dropped collection before the disk is full. It also delays the checkpoint that
    // MongoDB writes once a minute. A checkpoint on the full disk would make MongoDB exit before its journal is full.
    await mongodb.stop();
    await mongodb.start();
    await waitUntil(async () => (await call(origin, '/readyz')).status === 200);
    disk.fill(mongodb);
    expect((await read()).status).toBe(200);
    const reported = await report();
    expect(isUnavailable(reported), reported.text).toBe(disk.rejectsNewFiles);

    const writers = await startWriters(installation, serviceIds, random, { customersPerWriter: 4 });
    await writers.eachHasWritten();
    const { exited } = runningOf(mongodb);
    const reading = repeatUntil(exited, read);
    const fillJournal = async () => {
      for (;;) await other.insertOne({ bytes: randomBytes(256 * 1024) });
    };
    // When the journal is full, MongoDB exits, so the insert fails.
    await fillJournal().catch(() => exited);
    const answers = await reading;
    expect(answers.filter((answer) => answer.status !== 200 && !isUnavailable(answer))).toEqual([]);

    const unavailable = await Promise.all([read(), report(), add(), call(origin, '/readyz')]);
    for (const answer of unavailable) expect(isUnavailable(answer), answer.text).toBe(true);
    expect((await call(origin, '/healthz')).status).toBe(200);
    const slowestMs = Math.max(...[...answers, ...unavailable].map(({ durationMs }) => durationMs));
    expect(slowestMs).toBeLessThan(maxAnswerMs + busyMachineMs);

    // Like a process supervisor, the test restarts MongoDB while the disk is still full. MongoDB then fails again.
    await mongodb.start().catch(() => undefined);
    await mongodb.kill();
    disk.free();
    await mongodb.start();
    const readyMs = await waitUntil(async () => (await call(origin, '/readyz')).status === 200);
    await writers.eachHasWritten();
    expect((await read()).status).toBe(200);
    for (const answer of [await report(), await add()]) expect([200, 201]).toContain(answer.status);
    await expectNothingLost(`full disk (${disk.kind})`, installation, writers, serviceIds, { checksSummaries: isLong });
    expect(writers.counts.failedAttempts).toBeGreaterThan(0);
    printFigures(`full disk: the slowest answer after ${ms(slowestMs)}; ready ${ms(readyMs)} after the restart`);
  },
);
