import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http, passthrough } from 'msw';
import { expect, test, vi } from 'vitest';
import { api, providerCall, signedIn } from './support/api.ts';
import { fakeConfirm, type Opened, open, toastOf } from './support/app.tsx';
import { aReview, aService } from './support/catalogue.ts';

// If a request that saves data takes longer than a second, the app shows a loading toast. These tests delay such requests.

const service = aService({ img: '' });
const review = aReview(service);
const pendingWrites = { finish: () => {} };

/** Fakes an API and Firebase, which respond to a write only when the test calls `pendingWrites.finish`. */
async function fakeSlowApi() {
  const { email } = await signedIn();
  const finished = new Promise<void>((resolve) => {
    pendingWrites.finish = resolve;
  });
  const later = (response: () => Response) => async () => {
    await finished;
    return response();
  };
  const created = () => HttpResponse.json({ acknowledged: true, insertedId: review._id }, { status: 201 });
  const changed = () => HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 });
  const deleted = () => HttpResponse.json({ acknowledged: true, deletedCount: 1 });
  api.use(
    http.get('/api/services/:id', () => HttpResponse.json(service)),
    http.get('/api/allreview', () => HttpResponse.json([])),
    http.get('/api/review', () => HttpResponse.json([{ ...review, email }])),
    http.get('/api/review/:id', () => HttpResponse.json({ ...review, email })),
    http.post('/api/services', later(created)),
    http.get('/api/account/services', () => HttpResponse.json([service])),
    http.patch('/api/services/:id', later(changed)),
    http.delete('/api/services/:id', later(deleted)),
    http.post('/api/review', later(created)),
    http.patch('/api/review/:id', later(changed)),
    http.delete('/api/review/:id', later(deleted)),
    http.post('/api/review/:id/restore', later(changed)),
    http.delete('/api/account', later(deleted)),
    http.post(providerCall('update'), later(passthrough)),
  );
}

const press = async ({ user }: Opened, name: string) => user.click(await screen.findByRole('button', { name }));

test.for<[saving: string, path: string, buttons: string[], saved: string]>([
  ['Adding your service…', '/addservices', ['Add service', 'Add service'], 'Service Add Successfully'],
  ['Sending your review…', `/review/${service._id}`, ['Send review', 'Send review'], 'Thanks for Your Review'],
  ['Saving your changes…', `/editreview/${review._id}`, ['Save changes'], 'You review Updated'],
  ['Deleting your review…', '/myreview', ['Delete your review of Hood repair'], 'Deleted Successfully'],
  ['Saving your changes…', `/editservice/${service._id}`, ['Save changes'], 'Your service is updated.'],
  ['Withdrawing your service…', '/myservices', ['Withdraw Hood repair'], 'Your service is withdrawn.'],
  ['Saving your changes…', '/account', ['Save changes'], 'Your name and photo are saved.'],
])(
  'the loading toast “%s” on the page %s is replaced by a toast with the result',
  async ([saving, path, buttons, saved]) => {
    fakeConfirm(true);
    await fakeSlowApi();
    const app = await open(path);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    for (const button of buttons) await press(app, button);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(await toastOf(saving)).toBe('loading');
    expect(document.querySelectorAll('[data-toast]')).toHaveLength(1);
    pendingWrites.finish();
    expect(await toastOf(saved)).toBe('success');
    await waitFor(() => expect(document.querySelectorAll('[data-toast]')).toHaveLength(1));
  },
);
