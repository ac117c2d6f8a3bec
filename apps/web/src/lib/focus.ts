// If the focused element is removed, the browser gives the focus to the body, and the next Tab starts at the top of the
// page. The functions in this file prevent this: they move the focus to another element.

const headings = 'main :is(h1, h2, h3)';

/**
 * Moves the focus to the result of `findTarget`, or else to the nearest heading. Call this function directly before the
 * element `part`, which contains the focus, is removed.
 */
export function passFocusOn(part: Element, findTarget: () => Element | null | undefined = () => null): void {
  moveFocus(findTarget, ancestorsOf(part));
}

/**
 * Remembers the focused element, which opens `dialog`. Returns a function that returns the focus to this element, or else to
 * the heading nearest to it. Call the returned function directly before the dialog is removed.
 */
export function rememberOpener(dialog: Element): () => void {
  const opener = document.activeElement ?? document.body;
  // Safari does not focus a button on a click. The body then has the focus, and nothing is known about the opener.
  const ancestors = ancestorsOf(opener === document.body ? dialog : opener);
  return () => moveFocus(() => opener, ancestors);
}

function moveFocus(findTarget: () => Element | null | undefined, ancestors: readonly Element[]): void {
  queueMicrotask(() => {
    // Another component may have moved the focus already.
    if (document.activeElement !== document.body) return;
    const target = findTarget();
    if (target instanceof HTMLElement) target.focus();
    if (document.activeElement === document.body) focusHeading(ancestors);
  });
}

/** Focuses the element, unless another element has the focus, for example because the customer is typing there. */
export function focusIfLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}

/**
 * A ref callback for an element. If React removes the element while it contains the focus, the focus moves to the nearest
 * heading. Do not use it on the `Link` of the router, which ignores the cleanup function of a ref. Use it on an element
 * around the link.
 */
export function focusHeadingOnRemoval(part: Element | null): () => void {
  return () => {
    if (part && hasFocus(part)) passFocusOn(part);
  };
}

/**
 * A ref callback for an item of a list. If React removes the item while it contains the focus, the focus moves to the
 * next control in the list. If there is none, it moves to the previous control, or else to the nearest heading.
 */
export function focusNeighborOnRemoval(part: Element | null): () => void {
  return () => {
    const list = part?.parentElement;
    if (!list || !hasFocus(part)) return;
    const index = [...list.children].indexOf(part);
    passFocusOn(part, () => {
      const remaining = [...list.children];
      return controlsIn(remaining.slice(index))[0] ?? controlsIn(remaining.slice(0, index)).at(-1);
    });
  };
}

export const hasFocus = (part: Element): boolean => part.contains(document.activeElement);

function controlsIn(parts: Element[]): Element[] {
  return parts
    .flatMap((part) => [part, ...part.querySelectorAll('*')])
    .filter((element) => element.matches('a, button'));
}

/** Returns the ancestors of an element, with the innermost one first. */
function ancestorsOf(part: Element): Element[] {
  const ancestors = [];
  for (let ancestor = part.parentElement; ancestor; ancestor = ancestor.parentElement) ancestors.push(ancestor);
  return ancestors;
}

function focusHeading(ancestors: readonly Element[]): void {
  const nearest = ancestors.find((ancestor) => ancestor.isConnected && ancestor.querySelector(headings));
  const heading = nearest?.querySelector<HTMLElement>(headings);
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
}
