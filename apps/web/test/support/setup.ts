import { waitMs } from '@rtr/dev-stack/timeouts';
import { cleanup, configure } from '@testing-library/react';
import toaster from 'react-hot-toast/headless';
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, vi } from 'vitest';
import { api, takeAnotherBrowser } from './api.ts';

configure({ asyncUtilTimeout: waitMs });

// What jsdom lacks, as far as the app uses it.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
};
window.scrollTo = () => {};
Element.prototype.scrollTo = () => {};
Element.prototype.scrollIntoView = () => {};
window.matchMedia = (media) =>
  Object.assign(new EventTarget(), { media, matches: false, onchange: null, addListener() {}, removeListener() {} });

beforeAll(() => api.listen({ onUnhandledFrame: 'error' }));
afterAll(() => api.close());

let complaint: MockInstance<typeof console.error>;
beforeEach(() => {
  complaint = vi.spyOn(console, 'error');
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  // A part that comes late would belong to the app that the next test opens.
  await vi.dynamicImportSettled();
  cleanup();
  api.resetHandlers();
  toaster.remove();
  takeAnotherBrowser();
  // Nothing that is tested complains: an unexpected error in the console fails.
  expect(complaint.mock.calls).toEqual([]);
  vi.restoreAllMocks();
});
