import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, noResponse, problem, providerCall, providerError, signedIn, verifyEmailOf } from './support/api.ts';
import { open, toastOf } from './support/app.tsx';

/** Fakes the API routes for the setting of emails. Returns the settings that were sent. */
function fakeEmails(
  isOn: boolean,
  saved: (sent: boolean) => Response = (sent) => HttpResponse.json({ isAvailable: true, isOn: sent }),
) {
  const sent: boolean[] = [];
  let current = isOn;
  api.use(
    http.get('/api/account/emails', () => HttpResponse.json({ isAvailable: true, isOn: current })),
    http.put('/api/account/emails', async ({ request }) => {
      const body = (await request.json()) as { isOn: boolean };
      sent.push(body.isOn);
      current = body.isOn;
      return saved(body.isOn);
    }),
  );
  return sent;
}

async function openAccount() {
  const app = await open('/account');
  await screen.findByRole('heading', { level: 2, name: 'Email' });
  return app;
}

const emailChoice = () => screen.findByRole('checkbox', { name: 'Email me about news' });
const sendLink = () => screen.findByRole('button', { name: 'Send a link to verify it' });

describe('the address on the account page', () => {
  test('can be verified with a link, and is shown as verified when the customer returns to the tab', async () => {
    fakeEmails(false);
    const cora = await signedIn();
    const { user } = await openAccount();
    await screen.findByText('Your address is not verified yet. Emails about news go only to verified addresses.');
    expect(screen.queryByRole('checkbox')).toBeNull();
    await user.click(await sendLink());
    await screen.findByText('The link is on its way. Open it, then come back to this page.');
    screen.getByText('Demo: the link is printed in the terminal.');
    await verifyEmailOf(cora);
    const visibility = vi.spyOn(document, 'visibilityState', 'get');
    for (const state of ['hidden', 'visible'] as const) {
      visibility.mockReturnValue(state);
      act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    }
    visibility.mockRestore();
    await screen.findByText('Your address is verified.');
    expect(screen.queryByRole('button', { name: 'Send a link to verify it' })).toBeNull();
    await emailChoice();
  });

  test.for([
    ['TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many tries. Wait a few minutes, then try again.'],
    ['OPERATION_NOT_ALLOWED', 'The link was not sent. Try again in a few minutes.'],
  ] as const)('shows an error when Firebase rejects the link with %s', async ([code, said]) => {
    await signedIn();
    const { user } = await openAccount();
    api.use(http.post(providerCall('sendOobCode'), () => providerError(code)));
    await user.click(await sendLink());
    expect((await within(screen.getByRole('main')).findByRole('alert')).textContent).toBe(said);
  });

  test('sends only one link for a double click', async () => {
    await signedIn();
    const { user } = await openAccount();
    let sentCount = 0;
    api.use(
      http.post(providerCall('sendOobCode'), () => {
        sentCount += 1;
        return noResponse();
      }),
    );
    await user.dblClick(await sendLink());
    await waitFor(() => expect(sentCount).toBe(1));
    expect((await sendLink()).getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the choice of emails about news', () => {
  test('is off at first, and switches emails on and off', async () => {
    const sent = fakeEmails(false);
    await verifyEmailOf(await signedIn());
    const { user } = await openAccount();
    const found = await emailChoice();
    expect(found).toHaveProperty('checked', false);
    await user.click(found);
    expect(await toastOf('You get emails about news.')).toBe('success');
    await waitFor(() => expect(found).toHaveProperty('checked', true));
    await user.click(found);
    expect(await toastOf('You get no more emails about news.')).toBe('success');
    await waitFor(() => expect(found).toHaveProperty('checked', false));
    expect(sent).toEqual([true, false]);
  });

  test('shows the choice while it is saved, and the old one with an error when it was not saved', async () => {
    const response = Promise.withResolvers<Response>();
    fakeEmails(false);
    api.use(http.put('/api/account/emails', () => response.promise));
    await verifyEmailOf(await signedIn());
    const { user } = await openAccount();
    const found = await emailChoice();
    await user.click(found);
    expect([found.getAttribute('aria-disabled'), (found as HTMLInputElement).checked]).toEqual(['true', true]);
    response.resolve(problem(503, 'The database is away.'));
    await screen.findByText('Your choice was not saved. Try again.');
    expect(found).toHaveProperty('checked', false);
    expect(document.activeElement).toBe(found);
  });

  test('reports an unexpected response as an error', async () => {
    fakeEmails(false, () => HttpResponse.json({ isAvailable: true, isOn: false }));
    await verifyEmailOf(await signedIn());
    const { user } = await openAccount();
    await user.click(await emailChoice());
    await screen.findByText('Your choice was not saved. Try again.');
  });

  test('is not offered if the server sends no emails', async () => {
    await verifyEmailOf(await signedIn());
    await openAccount();
    await screen.findByText('Your address is verified.');
    await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
  });

  test('can be switched off even if the address is not verified any more', async () => {
    const sent = fakeEmails(true);
    await signedIn();
    const { user } = await openAccount();
    await user.click(await emailChoice());
    expect(await toastOf('You get no more emails about news.')).toBe('success');
    expect(sent).toEqual([false]);
    await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull());
  });

  test('has a retry when the setting did not load', async () => {
    api.use(http.get('/api/account/emails', () => problem(500, 'A bug')));
    await verifyEmailOf(await signedIn());
    const { user } = await openAccount();
    await screen.findByText('We could not load whether you get emails.');
    fakeEmails(true);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await emailChoice()).toHaveProperty('checked', true);
  });
});

describe('the page to stop emails', () => {
  const key = 'k'.repeat(32);
  const openPage = async () => {
    const app = await open(`/unsubscribe/${key}`);
    await screen.findByRole('heading', { level: 1, name: 'Stop emails about news?' });
    return app;
  };
  const stop = () => screen.findByRole('button', { name: 'Stop these emails' });

  test('stops the emails with one click and without a login, but not when it is opened', async () => {
    const keys: unknown[] = [];
    api.use(
      http.post('/api/unsubscribe/:key', ({ params }) => {
        keys.push(params.key);
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { user } = await openPage();
    expect(keys).toEqual([]);
    expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex');
    await user.click(await stop());
    const heading = await screen.findByRole('heading', { level: 1, name: 'The emails are stopped' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    expect(keys).toEqual([key]);
    expect(screen.getByRole('link', { name: 'See your account' }).getAttribute('href')).toBe('/account');
  });

  test('says that the link does not work if no account has the key', async () => {
    api.use(http.post('/api/unsubscribe/:key', () => problem(404, 'No account has this key.')));
    const { user } = await openPage();
    await user.click(await stop());
    await screen.findByRole('heading', { level: 1, name: 'This link does not work' });
    screen.getByRole('link', { name: 'See your account' });
  });

  test('says that the emails were not stopped if the request failed, and lets the person try again', async () => {
    api.use(http.post('/api/unsubscribe/:key', () => problem(503, 'The database is away.')));
    const { user } = await openPage();
    await user.click(await stop());
    expect((await screen.findByRole('alert')).textContent).toBe('The emails were not stopped. Try again.');
    api.use(http.post('/api/unsubscribe/:key', () => new HttpResponse(null, { status: 204 })));
    await user.click(await stop());
    await screen.findByRole('heading', { level: 1, name: 'The emails are stopped' });
  });
});
