import { useEffect } from 'react';

const headings = 'main :is(h1, h2, h3)';

/**
 * What has the focus may be taken off the page, as a button for another try is while that goes on. Then the focus goes to
 * the heading of the part of the page it stood in; else the keyboard would begin again at the top.
 */
export function useFocusKept(): void {
  useEffect(() => {
    /** What has the focus, and all around it, from the inside out; and what had it before. */
    let held: Element[] = [];
    let before: Element | undefined;
    const hold = ({ target }: FocusEvent) => {
      [before] = held;
      held = [];
      for (let at = target as Element | null; at; at = at.parentElement) held.push(at);
    };
    const isLost = () => document.activeElement === document.body;
    const letGo = () => {
      // Of its own accord, as by a press beside it.
      queueMicrotask(() => {
        if (isLost() && held[0]?.isConnected) held = [];
      });
    };
    const pass = () => {
      if (!isLost() || held[0]?.isConnected !== false) return;
      const part = held.find((around) => around.isConnected && around.querySelector(headings));
      // What stands beside the page, as a message does, gives the focus back.
      const next = before?.isConnected && part?.matches(':has(main)') ? before : part?.querySelector(headings);
      if (!(next instanceof HTMLElement)) return;
      if (next !== before) next.setAttribute('tabindex', '-1');
      next.focus({ preventScroll: true });
    };
    // Once it is drawn: a page or a dialog that knows better has taken the focus by then.
    const observer = new MutationObserver(() => requestAnimationFrame(pass));
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('focusin', hold);
    addEventListener('focusout', letGo);
    return () => {
      observer.disconnect();
      removeEventListener('focusin', hold);
      removeEventListener('focusout', letGo);
    };
  }, []);
}
