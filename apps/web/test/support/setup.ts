import { waitMs } from '@rtr/dev-stack/timeouts';
import { cleanup, configure, getConfig } from '@testing-library/react';
import toaster from 'react-hot-toast/headless';
import { afterAll, afterEach, beforeAll, beforeEach, expect, type MockInstance, vi } from 'vitest';
import { api, openBrowser } from './api.ts';
import { closeBrowserAndApps } from './app.tsx';

const { getElementError } = getConfig();
configure({
  asyncUtilTimeout: waitMs,
  // Printing the page is slow, and a query that is retried throws many errors. So the page is printed only when a message is
  // read, that is for the error that fails the test.
  getElementError(message, container) {
    const error = new Error();
    error.name = 'TestingLibraryElementError';
    const get = () => getElementError(message, container).message;
    return Object.defineProperty(error, 'message', { get, configurable: true });
  },
});

// Fakes browser features that the app uses and jsdom does not have.
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

let consoleError: MockInstance<typeof console.error>;

/**
 * Registers hooks for the tests of a file. Each file calls it, because files share the modules of their worker: this module is
 * loaded only once.
 */
export function registerHooks(): void {
  beforeAll(() => api.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => api.close());

  beforeEach(() => {
    consoleError = vi.spyOn(console, 'error');
  });

  afterEach(async () => {
    await closeBrowserAndApps();
    cleanup();
    // jsdom runs animation frames with `setInterval`, which can be a fake timer here. It must run once more, about 17 ms later, to
    // stop. Otherwise jsdom waits for it forever, and later tests get no animation frames.
    if (vi.isFakeTimers()) vi.advanceTimersByTime(17);
    vi.useRealTimers();
    vi.unstubAllGlobals();
    // Waits for scripts that are still loading, because they could affect the next test.
    await vi.dynamicImportSettled();
    api.resetHandlers();
    toaster.remove();
    document.head.replaceChildren();
    document.body.replaceChildren();
    openBrowser();
    // Fails a test that has logged an unexpected error.
    expect(consoleError.mock.calls).toEqual([]);
    vi.restoreAllMocks();
  });
}
