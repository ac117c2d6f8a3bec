import type { OwnReport } from '@rtr/shared';
import { beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createModerationTest } from './support/moderation.ts';

// Tests the outcomes of moderation cases and of their reports while parts of a review or service are hidden.

const { api, db, signUp, people, insert, report, act, readCases, readReports } = await createModerationTest();
const { services, reviews, reports, cases, pictures } = getCollections(db);
const [first, second] = ['https://pictures.example/first.png', 'https://pictures.example/second.png'];

let service: string;
beforeEach(async () => {
  await Promise.all([services, reviews, reports, cases].map((collection) => collection.deleteMany({})));
  await pictures.deleteMany();
  service = await insert('/services', people.lister, { title: 'Hood repair', img: first });
});

const replacePicture = () =>
  api.patch(`/services/${service}`).set(bearer(people.lister)).send({ img: second }).expect(200);
const actOnPicture = async (caseId: string, fields: object) =>
  (await act(caseId, { part: 'picture', ...fields }).expect(200)).body;
const actOnService = (fields: object) => actOnPicture(`service-${service}`, fields);
async function upload(width: number): Promise<{ url: string }> {
  const request = api.post('/pictures').set({ ...bearer(people.author), 'Content-Type': 'image/png' });
  return { url: (await request.send(await drawPicture(width).png().toBuffer()).expect(201)).body.url };
}
const hidden = { outcome: 'hidden', hiddenPart: 'picture' };

describe('the outcome of a moderation case', () => {
  it('stays “hidden” until both hidden photos of a review are restored, even if the author has removed one of them from the review', async () => {
    const [remaining, removed, added] = [await upload(8), await upload(9), await upload(10)];
    const fields = { serviceId: service, review: 'They came at night.', photos: [remaining, removed] };
    const review = await insert('/review', people.author, fields);
    await report(`/review/${review}`, 'picture').expect(201);
    await actOnPicture(`review-${review}`, { action: 'hide' });
    const edit = api.patch(`/review/${review}`).set(bearer(people.author));
    await edit.send({ photos: [remaining, added] }).expect(200);
    const restored = await actOnPicture(`review-${review}`, { action: 'restore', replaced: true });
    expect(restored).toMatchObject({ outcome: 'hidden', hiddenPictures: { current: 1, replaced: 0 } });
    expect(await readReports()).toMatchObject([hidden]);
    expect(await actOnPicture(`review-${review}`, { action: 'restore' })).toMatchObject({ outcome: 'kept' });
    expect(await readReports()).toMatchObject([{ outcome: 'kept' }]);
  });

  it('stays “hidden” until the reported picture of a service is restored, even if a newer picture of the service is restored first', async () => {
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService({ action: 'hide' });
    await replacePicture();
    const reportOfOther = api.post(`/services/${service}/report`).set(bearer(people.author));
    await reportOfOther.send({ reason: 'spam', about: 'picture' }).expect(201);
    await actOnService({ action: 'hide' });
    const restored = await actOnService({ action: 'restore' });
    expect(restored).toMatchObject({ outcome: 'hidden', hiddenPictures: { current: 0, replaced: 1 } });
    expect(await readReports()).toMatchObject([hidden]);
    const { body } = await api.get('/account/reports').set(bearer(people.author)).expect(200);
    expect(body as OwnReport[]).toMatchObject([{ outcome: 'kept' }]);
    expect(await actOnService({ action: 'restore', replaced: true })).toMatchObject({ outcome: 'kept' });
    expect(await readReports()).toMatchObject([{ outcome: 'kept' }]);
  });

  it.each([
    ['photo', { part: 'picture' }],
    ['reply', { part: 'reply' }],
  ])('stays “hidden” after the review was restored while its %s is still hidden', async (_name, part) => {
    const fields = { serviceId: service, review: 'They came at night.', photos: [await upload(8)] };
    const review = await insert('/review', people.author, fields);
    await api.put(`/review/${review}/reply`).set(bearer(people.lister)).send({ text: 'We came at noon.' }).expect(200);
    await report(`/review/${review}`).expect(201);
    const actOnReview = async (action: object) => (await act(`review-${review}`, action).expect(200)).body;
    await actOnReview({ ...part, action: 'hide' });
    await actOnReview({ action: 'hide' });
    expect(await actOnReview({ action: 'restore' })).toMatchObject({ outcome: 'hidden' });
    expect(await readCases('closed')).toMatchObject([{ outcome: 'hidden' }]);
    expect(await actOnReview({ ...part, action: 'restore' })).toMatchObject({ outcome: 'kept' });
  });

  it('stays “hidden” while a photo is hidden, even if a later report about the text is dismissed', async () => {
    const photos = [await upload(8)];
    const review = await insert('/review', people.author, {
      serviceId: service,
      review: 'They came at night.',
      photos,
    });
    await report(`/review/${review}`, 'picture').expect(201);
    await actOnPicture(`review-${review}`, { action: 'hide' });
    const reportOfOther = api.post(`/review/${review}/report`).set(bearer(people.lister));
    await reportOfOther.send({ reason: 'spam' }).expect(201);
    const { body } = await act(`review-${review}`, { action: 'dismiss' }).expect(200);
    expect(body).toMatchObject({ outcome: 'hidden', hiddenPictures: { current: 1 } });
    expect(await readReports()).toMatchObject([hidden]);
    expect(await actOnPicture(`review-${review}`, { action: 'restore' })).toMatchObject({ outcome: 'kept' });
  });

  it('stays “hidden” while a reply is hidden, even if a moderator later hides and restores the review, and then the lister deletes their account', async () => {
    const leaving = await signUp();
    const serviceId = await insert('/services', leaving, { title: 'Duct repair' });
    const review = await insert('/review', people.author, { serviceId, review: 'They came at night.' });
    const reply = api.put(`/review/${review}/reply`).set(bearer(leaving));
    await reply.send({ text: 'We came at noon.' }).expect(200);
    await report(`/review/${review}`, 'reply').expect(201);
    for (const action of [{ action: 'hide', part: 'reply' }, { action: 'hide' }, { action: 'restore' }])
      await act(`review-${review}`, action).expect(200);
    await api.delete('/account').set(bearer(leaving.idToken)).expect(200);
    expect(await readCases('closed')).toMatchObject([{ outcome: 'hidden', hidden: {} }]);
    expect(await readReports()).toMatchObject([{ outcome: 'hidden', hiddenPart: 'reply' }]);
  });

  it('follows the newest action of the moderator if an earlier version of the API stored the case without picture addresses', async () => {
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService({ action: 'hide' });
    await cases.updateMany({}, { $unset: { 'history.$[].pictures': 1 } });
    await replacePicture();
    expect(await readCases('closed')).toMatchObject([{ outcome: 'hidden' }]);
    expect(await readReports()).toMatchObject([hidden]);
    await actOnService({ action: 'restore' });
    expect(await readCases('closed')).toMatchObject([{ outcome: 'kept' }]);
    expect(await readReports()).toMatchObject([{ outcome: 'kept' }]);
  });
});
