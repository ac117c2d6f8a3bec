import type { Review } from '@rtr/shared';
import { Collection } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { createModerationTest } from './support/moderation.ts';

// Tests the sweeps that finish interrupted actions of moderators, and changes of hidden content by operators and authors.

const app = await createModerationTest();
const { api, db, operate, signUp, takeWarnings, people, insert, report, act, readCases, readReports } = app;
const collections = getCollections(db);
const { services, reviews, reports, cases, audit } = collections;
const { moderation, reviewModeration } = app.stores;

let service: string;
let review: string;
beforeEach(async () => {
  await Promise.all([services, reviews, reports, cases, audit].map((collection) => collection.deleteMany({})));
  service = await insert('/services', people.lister, { title: 'Hood repair' });
  review = await insert('/review', people.author, { serviceId: service, review: 'They came at night.', rating: 2 });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const reportReview = () => report(`/review/${review}`).expect(201);
const actOnReview = (action: string) => act(`review-${review}`, { action });
const readReviews = async (): Promise<Review[]> => (await api.get(`/allreview?serviceId=${service}`).expect(200)).body;

/** Makes the next update of a review fail, as if the connection had been closed. */
function failNextUpdate(): void {
  vi.restoreAllMocks();
  const original = Collection.prototype.updateOne as (...args: unknown[]) => Promise<unknown>;
  let isPending = true;
  vi.spyOn(Collection.prototype, 'updateOne').mockImplementation(async function call(this: Collection, ...args) {
    if (isPending && this.collectionName === 'reviews') {
      isPending = false;
      throw new Error('connection closed');
    }
    return original.apply(this, args) as never;
  });
}

describe('the sweep that finishes interrupted actions of moderators', () => {
  it('finishes the remaining actions even if one action fails again', async () => {
    const other = await insert('/review', people.author, { serviceId: service, review: 'They came late.' });
    for (const id of [review, other]) {
      await report(`/review/${id}`).expect(201);
      failNextUpdate();
      await act(`review-${id}`, { action: 'hide' }).expect(500);
    }
    expect(takeWarnings()).toHaveLength(2);
    failNextUpdate();
    await expect(moderation.sweep()).rejects.toThrow(AggregateError);
    expect(await readReviews()).toHaveLength(1);
    await moderation.sweep();
    expect(await readReviews()).toHaveLength(0);
  });

  it('does not apply a finished action again', async () => {
    await reportReview();
    await actOnReview('hide').expect(200);
    await operate('restore', 'review', review);
    await moderation.sweep();
    expect(await readReviews()).toHaveLength(1);
  });
});

describe('the outcome of a report', () => {
  it('is “hidden” if an operator has hidden the reported review, even if a moderator then dismisses the report', async () => {
    await reportReview();
    await operate('hide', 'review', review);
    expect((await actOnReview('dismiss').expect(200)).body).toMatchObject({ status: 'closed', hidden: { review: {} } });
    expect(await readReports()).toMatchObject([{ status: 'closed', outcome: 'hidden', hiddenPart: 'review' }]);
    await operate('restore', 'review', review);
    const [closed] = await readCases('closed');
    expect(closed?.hidden).toEqual({});
    expect(await readReports()).toMatchObject([{ outcome: 'kept' }]);
  });

  it('is “hidden” if an operator has hidden the reported service, even if a moderator then dismisses the report', async () => {
    await report(`/services/${service}`).expect(201);
    await operate('hide', 'service', service);
    const { body } = await act(`service-${service}`, { action: 'dismiss' }).expect(200);
    expect(body).toMatchObject({ hidden: { service: {} } });
    expect(await readReports()).toMatchObject([{ outcome: 'hidden', hiddenPart: 'service' }]);
  });

  it('is “kept” if an operator has restored a review that a moderator had hidden', async () => {
    await reportReview();
    await actOnReview('hide').expect(200);
    await operate('restore', 'review', review);
    expect(await readReports()).toMatchObject([{ outcome: 'kept' }]);
  });

  it('stays “hidden” after the account of the author was deleted', async () => {
    const leaving = await signUp();
    const id = await insert('/review', leaving, { serviceId: service, review: 'Buy my book' });
    await report(`/review/${id}`).expect(201);
    await act(`review-${id}`, { action: 'hide' }).expect(200);
    await api.delete('/account').set(bearer(leaving.idToken)).expect(200);
    expect(await readReports()).toMatchObject([{ outcome: 'hidden', hiddenPart: 'review' }]);
  });
});

describe('a hidden review', () => {
  const dayMs = 24 * 60 * 60_000;
  const sweepAt = async (time: number) => {
    await reviewModeration.sweep(new Date(time));
    return reviews.countDocuments();
  };

  it('is erased a day after its author has deleted it, even if a moderator hid it after the deletion', async () => {
    await reportReview();
    await api.delete(`/review/${review}`).set(bearer(people.author)).expect(200);
    await actOnReview('hide').expect(200);
    expect(await sweepAt(Date.now() + dayMs - 60_000)).toBe(1);
    expect(await sweepAt(Date.now() + dayMs + 60_000)).toBe(0);
    expect(await readReports()).toMatchObject([{ outcome: 'hidden' }]);
  });

  it('is not erased as long as its author has not deleted it', async () => {
    await reportReview();
    await actOnReview('hide').expect(200);
    expect(await sweepAt(Date.now() + 2 * dayMs)).toBe(1);
  });
});
