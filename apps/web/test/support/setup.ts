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
 * Registers hooks for the tests of a file. environment.ts calls it for each file, because files share the modules of their
 * worker, so that the rest of this module runs only once.
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
    // The timer of jsdom for animation frames can be a fake one. It runs once more (a frame takes 17 ms), so that jsdom stops
    // it. Otherwise later tests get no animation frames.
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
