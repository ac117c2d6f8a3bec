import { expect, test, vi } from 'vitest';
import { toast } from '../src/ui/toasts.tsx';
import { open, toastOf } from './support/app.tsx';

const attempts = vi.hoisted(() => ({ count: 0 }));
vi.mock('../src/ui/toaster.tsx', (original) => {
  attempts.count += 1;
  if (attempts.count === 1) throw new TypeError('Failed to fetch dynamically imported module');
  return original<object>();
});

// This file has only one test, because the app loads the script of the toasts only once, for the first toast.
test('the script that shows toasts is loaded again when the first attempt fails', async () => {
  await open('/blogs');
  toast.blank('Draft kept');
  await toastOf('Draft kept');
  expect(attempts.count).toBe(2);
});
