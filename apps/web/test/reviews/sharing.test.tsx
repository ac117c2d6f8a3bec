import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { api, signedIn } from '../support/api.ts';
import { open, toastOf } from '../support/app.tsx';
import { aReview, aService, serve } from '../support/catalogue.ts';

afterEach(() => {
  Reflect.deleteProperty(navigator, 'share');
});

function fakeShare(share: (what: ShareData) => Promise<void>) {
  const shared = vi.fn(share);
  Object.defineProperty(navigator, 'share', { value: shared, configurable: true });
  return shared;
}

/** Opens the page of a service with one review. The address of the page contains a filter and a sort order. */
async function openService() {
  const service = aService({ reviewCount: 1 });
  const review = aReview(service);
  serve([service], [review]);
  const app = await open(`/services/${service._id}?rating=5&sort=lowest`);
  const ofReview = await screen.findByRole('button', { name: 'Share the review by Amira Haddad, 11/3/2026' });
  const ofService = screen.getByRole('button', { name: 'Share Hood repair' });
  const links = {
    service: `${location.origin}/services/${service._id}`,
    review: `${location.origin}/services/${service._id}#review-${review._id}`,
  };
  return { ...app, ofService, ofReview, links };
}

test('the share button shares the address of a service or a review without the filter and the sort order of the page', async () => {
  const shared = fakeShare(() => Promise.resolve());
  const { user, ofService, ofReview, links } = await openService();
  await user.click(ofService);
  ofReview.focus();
  await user.keyboard('{Enter}');
  expect(shared.mock.calls).toEqual([
    [{ title: 'Hood repair', url: links.service }],
    [{ title: 'Review of Hood repair by Amira Haddad', url: links.review }],
  ]);
  expect(document.querySelector('[data-toast]')).toBeNull();
});

test('cancelling the share dialog of the device shows no message and copies nothing', async () => {
  const shared = fakeShare(() => Promise.reject(new DOMException('Cancelled', 'AbortError')));
  const { user, ofService } = await openService();
  const copied = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(ofService);
  await waitFor(() => expect(shared).toHaveBeenCalledOnce());
  expect(copied).not.toHaveBeenCalled();
  expect(document.querySelector('[data-toast]')).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the share button copies the address when the device has no share dialog or the dialog does not open', async () => {
  const { user, ofService, ofReview, links } = await openService();
  await user.click(ofReview);
  expect(await toastOf('Link copied')).toBe('success');
  expect(await navigator.clipboard.readText()).toBe(links.review);
  fakeShare(() => Promise.reject(new DOMException('Not here', 'NotAllowedError')));
  await user.click(ofService);
  await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(links.service));
});

describe('the share button when the clipboard is blocked', () => {
  test('shows the address in the field of a dialog, where a click selects the whole address', async () => {
    const { user, ofReview, links } = await openService();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('Blocked', 'NotAllowedError'));
    await user.click(ofReview);
    const dialog = within(await screen.findByRole('dialog', { name: 'Copy this link' }));
    const field = dialog.getByLabelText<HTMLInputElement>('Link');
    expect(field.value).toBe(links.review);
    await user.click(field);
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, links.review.length]);
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(ofReview);
  });
});

test('the accessible name of the share button says “your review” if the customer wrote the review', async () => {
  const cora = await signedIn();
  const service = aService({ reviewCount: 1 });
  const review = aReview(service);
  serve([service], [review]);
  api.use(http.get('/api/review', () => HttpResponse.json([{ ...review, email: cora.email }])));
  await open(`/services/${service._id}`);
  expect(await screen.findByRole('button', { name: 'Share your review of Hood repair' })).toBeTruthy();
});
