import { expect, test, vi } from 'vitest';
import { toast } from '../src/ui/toasts.tsx';
import { open, toastOf } from './support/app.tsx';

const attempts = vi.hoisted(() => ({ count: 0 }));
vi.mock('../src/ui/toaster.tsx', (original) => {
  attempts.count += 1;
  if (attempts.count === 1) throw new TypeError('Failed to fetch dynamically imported module');
  return original<object>();
});

// The only test in this file: the script is loaded once, for the first toast in a file.
test('loads the script of the toasts once more when the first attempt fails', async () => {
  await open('/blogs');
  toast.blank('Draft kept');
  await toastOf('Draft kept');
  expect(attempts.count).toBe(2);
});
