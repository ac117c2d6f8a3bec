import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { api, customer, problem, signedIn } from './support/api.ts';
import { type Opened, open, toastOf } from './support/app.tsx';
import { aReview, aService, serve } from './support/catalogue.ts';

const inMain = () => within(screen.getByRole('main'));
const inDialog = () => within(screen.getByRole('dialog'));

/** Clicks twice in one task, so that React cannot render between the clicks. */
const clickTwice = (button: HTMLElement) =>
  act(() => {
    button.click();
    button.click();
  });

/** Returns a function that returns the number of requests whose method and path match `call`. */
function countCalls(call: RegExp): () => number {
  let calls = 0;
  api.events.on('request:match', ({ request }) => {
    if (call.test(`${request.method} ${new URL(request.url).pathname}`)) calls += 1;
  });
  return () => calls;
}

afterEach(() => api.events.removeAllListeners());

const service = aService({ img: '' });
const review = aReview(service, { review: 'First words' });

async function asCustomer(path: string): Promise<Opened> {
  const cora = await signedIn();
  serve([service]);
  api.use(
    http.get('/api/review', () => HttpResponse.json([{ ...review, email: cora.email }])),
    http.get('/api/review/:id', () => HttpResponse.json({ ...review, email: cora.email })),
    http.post('/api/review', () => HttpResponse.json({ acknowledged: true, insertedId: review._id })),
    http.patch('/api/review/:id', () => HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 })),
    http.delete('/api/review/:id', () => HttpResponse.json({ acknowledged: true, deletedCount: 1 })),
    http.post('/api/review/:id/restore', () =>
      HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 }),
    ),
    http.post('/api/services', () => HttpResponse.json({ acknowledged: true, insertedId: service._id })),
    http.get('/api/account/services', () => HttpResponse.json([service])),
    http.patch('/api/services/:id', () => HttpResponse.json({ acknowledged: true, matchedCount: 1, modifiedCount: 1 })),
    http.delete('/api/services/:id', () => HttpResponse.json({ acknowledged: true, deletedCount: 1 })),
    http.delete('/api/account', () => HttpResponse.json({ acknowledged: true, deletedCount: 1 })),
  );
  return open('/blogs', path);
}

interface FormCase {
  /** Opens the form, fills it in, and returns its submit button. */
  fill: () => Promise<HTMLElement>;
  call: RegExp;
  /** Waits until the form has been sent successfully. */
  sent: () => Promise<unknown>;
}

const forms: Record<string, FormCase> = {
  'the login': {
    fill: async () => {
      const cora = await customer();
      const { user } = await open('/login');
      await user.fill(await screen.findByLabelText('Email'), cora.email);
      await user.fill(screen.getByLabelText('Password'), cora.password);
      return inMain().getByRole('button', { name: 'Login' });
    },
    call: /:signInWithPassword$/,
    sent: () => toastOf('Login Successfully'),
  },
  'the sign-up': {
    fill: async () => {
      const { user } = await open('/signup');
      await user.fill(await screen.findByLabelText('Name'), 'Nora New');
      await user.click(screen.getByRole('button', { name: 'Drawing 2' }));
      await user.fill(screen.getByLabelText('Email'), `new-${crypto.randomUUID()}@example.com`);
      await user.fill(screen.getByLabelText('Password'), 'secret1');
      await user.fill(screen.getByLabelText('Confirm password'), 'secret1');
      return inMain().getByRole('button', { name: 'Sign Up' });
    },
    call: /:signUp$/,
    sent: () => toastOf('Registration Successfully'),
  },
  'the dialog for a password reset': {
    fill: async () => {
      const { user } = await open('/login');
      await user.click(await screen.findByRole('button', { name: 'Forgot password?' }));
      await user.fill(inDialog().getByLabelText('Email'), 'cora@example.com');
      return inDialog().getByRole('button', { name: 'Send the link' });
    },
    call: /:sendOobCode$/,
    sent: () => screen.findByText(/a link to set a new password is on its way/),
  },
  'an account in the Google dialog': {
    fill: async () => {
      const { user } = await open('/login');
      await user.click(await screen.findByRole('button', { name: 'Continue with Google' }));
      return (await screen.findAllByRole('button', { name: /^Continue as/ }))[0] as HTMLElement;
    },
    call: /:signInWithIdp$/,
    sent: () => toastOf('Login Successfully'),
  },
  'the email form in the Google dialog': {
    fill: async () => {
      const { user } = await open('/login');
      await user.click(await screen.findByRole('button', { name: 'Continue with Google' }));
      await user.fill(await screen.findByLabelText('Use another email'), `g-${crypto.randomUUID()}@example.com`);
      return inDialog().getByRole('button', { name: 'Continue with this email' });
    },
    call: /:signInWithIdp$/,
    sent: () => toastOf('Login Successfully'),
  },
  'the form that adds a service': {
    fill: async () => {
      const { user } = await asCustomer('/addservices');
      await user.fill(await screen.findByLabelText('Title'), 'Hood cleaning');
      return inMain().getByRole('button', { name: 'Add service' });
    },
    call: /^POST \/api\/services$/,
    sent: () => toastOf('Service Add Successfully'),
  },
  'the form that edits a service': {
    fill: async () => {
      await asCustomer(`/editservice/${service._id}`);
      return screen.findByRole('button', { name: 'Save changes' });
    },
    call: /^PATCH \/api\/services\//,
    sent: () => toastOf('Your service is updated.'),
  },
  'the withdrawal of a service': {
    fill: async () => {
      vi.spyOn(window, 'confirm').mockReturnValue(true);
      await asCustomer('/myservices');
      return screen.findByRole('button', { name: /^Withdraw/ });
    },
    call: /^DELETE \/api\/services\//,
    sent: () => toastOf('Your service is withdrawn.'),
  },
  'the form that adds a review': {
    fill: async () => {
      const { user } = await asCustomer(`/review/${service._id}`);
      await user.click(await screen.findByRole('radio', { name: '4 stars: Very good' }));
      return screen.findByRole('button', { name: 'Send review' });
    },
    call: /^POST \/api\/review$/,
    sent: () => toastOf('Thanks for Your Review'),
  },
  'the form that edits a review': {
    fill: async () => {
      await asCustomer(`/editreview/${review._id}`);
      return screen.findByRole('button', { name: 'Save changes' });
    },
    call: /^PATCH \/api\/review\//,
    sent: () => toastOf('You review Updated'),
  },
  'the form for the name and the photo': {
    fill: async () => {
      const { user } = await asCustomer('/account');
      await user.fill(await screen.findByLabelText('Name'), ' the Cook');
      return screen.getByRole('button', { name: 'Save changes' });
    },
    call: /accounts:update$/,
    sent: () => toastOf('Your name and photo are saved.'),
  },
  'the deletion of the account': {
    fill: async () => {
      const { user } = await asCustomer('/account');
      await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
      return inDialog().getByRole('button', { name: 'Delete my account' });
    },
    call: /^DELETE \/api\/account$/,
    sent: () => toastOf('Your account is deleted.'),
  },
  'the deletion of a review': {
    fill: async () => {
      vi.spyOn(window, 'confirm').mockReturnValue(true);
      await asCustomer('/myreview');
      return screen.findByRole('button', { name: /^Delete your review/ });
    },
    call: /^DELETE \/api\/review\//,
    sent: () => toastOf('Deleted Successfully'),
  },
  'Undo of a deletion': {
    fill: async () => {
      vi.spyOn(window, 'confirm').mockReturnValue(true);
      const { user } = await asCustomer('/myreview');
      await user.click(await screen.findByRole('button', { name: /^Delete your review/ }));
      return screen.findByRole('button', { name: 'Undo' });
    },
    call: /\/restore$/,
    sent: () => toastOf('Your review is back.'),
  },
};

test.each(Object.entries(forms))(
  'a double click on the button sends only one request: %s',
  async (_, { fill, call, sent }) => {
    const button = await fill();
    const calls = countCalls(call);
    clickTwice(button);
    await sent();
    expect(calls()).toBe(1);
    expect(document.querySelector('[data-toast=error]')).toBeNull();
  },
);

describe('the success toast of a form', () => {
  const shown = () => [...document.querySelectorAll('[data-toast] p')].map(({ textContent }) => textContent);

  test('replaces the error toasts of a failed sign-up when the customer logs in instead', async () => {
    const cora = await customer();
    const { user } = await open('/signup');
    await user.fill(await screen.findByLabelText('Name'), 'Cora');
    await user.fill(screen.getByLabelText('Picture URL'), 'ftp://example.com/a.png');
    await user.fill(screen.getByLabelText('Email'), cora.email);
    await user.fill(screen.getByLabelText('Password'), 'short');
    await user.fill(screen.getByLabelText('Confirm password'), 'short');
    await user.click(screen.getByRole('button', { name: 'Sign Up' }));
    await toastOf('Password should be 6 character or more');
    expect(shown().toSorted()).toEqual([
      'Enter a web address that starts with https:// or http:// and has up to 2,048 characters.',
      'Password should be 6 character or more',
    ]);
    await user.click(inMain().getByRole('link', { name: 'Login' }));
    await screen.findByRole('heading', { name: 'Log in' });
    await user.fill(screen.getByLabelText('Email'), cora.email);
    await user.fill(screen.getByLabelText('Password'), cora.password);
    await user.click(inMain().getByRole('button', { name: 'Login' }));
    await toastOf('Login Successfully');
    expect(shown()).toEqual(['Login Successfully']);
  });

  test('replaces the error toast of a failed attempt to send a review', async () => {
    const { user } = await asCustomer(`/review/${service._id}`);
    api.use(http.post('/api/review', () => problem(503, 'The database does not answer.'), { once: true }));
    await user.click(await screen.findByRole('radio', { name: '4 stars: Very good' }));
    await user.click(screen.getByRole('button', { name: 'Send review' }));
    await toastOf('We cannot reach the kitchen right now. Your text is safe here.');
    const again = await screen.findByRole('button', { name: 'Try again' });
    await user.click(again);
    await toastOf('Thanks for Your Review');
    expect(shown()).toEqual(['Thanks for Your Review']);
  });
});

test('a form that is sent again after a failure still returns to the previous page', async () => {
  await signedIn();
  serve([service]);
  api.use(
    http.post('/api/services', () => problem(503, 'The database does not answer.'), { once: true }),
    http.post('/api/services', () => HttpResponse.json({ acknowledged: true, insertedId: service._id })),
  );
  const from = { pathname: '/blogs', search: '', hash: '' };
  const { user, address } = await open({ pathname: '/addservices', state: { from } });
  await user.fill(await screen.findByLabelText('Title'), 'Hood cleaning');
  await user.click(screen.getByRole('button', { name: 'Add service' }));
  const again = await screen.findByRole('button', { name: 'Try again' });
  await user.click(again);
  await toastOf('Service Add Successfully');
  await waitFor(() => expect(address()).toBe('/blogs'));
});

test.each([
  ['/addservices', 'Title', 'Add service'],
  [`/review/${service._id}`, 'Your review', 'Send review'],
  [`/editreview/${review._id}`, 'Your review', 'Save changes'],
])(
  'the button “Start over” on the page %s removes the error of the last attempt to send the form',
  async (path, field, button) => {
    const first = await asCustomer(path);
    await first.user.fill(await screen.findByLabelText(field), 'A draft');
    await first.close();
    api.use(
      ...['/api/services', '/api/review', '/api/review/:id'].flatMap((route) =>
        [http.post, http.patch].map((method) => method(route, () => problem(503, 'The database does not answer.'))),
      ),
    );
    const { user } = await open(path);
    await user.click(await screen.findByRole('button', { name: button }));
    await screen.findByRole('button', { name: 'Try again' });
    await user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  },
);
