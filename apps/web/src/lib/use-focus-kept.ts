import { useEffect } from 'react';

const headings = 'main :is(h1, h2, h3)';

/**
 * What has the focus may be taken off the page, as a button for another try is while that goes on. Then the focus goes to
 * the heading of the part of the page it stood in; else the keyboard would begin again at the top.
 */
export function useFocusKept(): void {
  useEffect(() => {
    /** What has the focus, and all around it, from the inside out. */
    let held: Element[] = [];
    const hold = ({ target }: FocusEvent) => {
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
      const heading = part?.querySelector<HTMLElement>(headings);
      heading?.setAttribute('tabindex', '-1');
      heading?.focus({ preventScroll: true });
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
