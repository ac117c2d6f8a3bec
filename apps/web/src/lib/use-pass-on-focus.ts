import { type RefObject, useLayoutEffect } from 'react';

/**
 * Should this part of a list go while the focus is in it, the focus goes on: to the first control after it, else to the
 * last one before it. Where there is none, `useFocusKept` finds the heading.
 */
export function usePassOnFocus(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const part = ref.current;
    return () => {
      if (!part?.contains(document.activeElement)) return;
      const parts = [...(part.parentElement?.children ?? [])];
      const at = parts.indexOf(part);
      queueMicrotask(() => {
        // What stands in its place may have the focus by now.
        if (document.activeElement !== document.body) return;
        (controlsIn(parts.slice(at + 1))[0] ?? controlsIn(parts.slice(0, at)).at(-1))?.focus();
      });
    };
  }, [ref]);
}

const controlsIn = (parts: Element[]) =>
  parts
    .filter(({ isConnected }) => isConnected)
    .flatMap((part) => [...part.querySelectorAll<HTMLElement>('a, button')]);
