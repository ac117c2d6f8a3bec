/** What a visitor did before the hydration. The inline script records it. */
interface EarlyAction {
  /** The button, the select element, the radio button, the checkbox, or the form. */
  element: HTMLElement;
  /** The time on the clock of `performance.now()`. */
  at: number;
  /** The value of `aria-pressed` of a button when it was pressed, or null. */
  pressed: string | null;
  /** The chosen value of a select element. */
  value: string;
  /** The state of a radio button or a checkbox. */
  checked: boolean;
}

declare global {
  interface Window {
    stopRecording?: () => EarlyAction[];
  }
}

/** The id of the element with the inline script. */
export const earlyActionsId = 'early-actions';

const maxAgeMs = 10_000;

/**
 * Repeats each recorded action once, in order, after the hydration. Omits an action if it is too old, if its element is gone,
 * or if an earlier one has opened another page. Also omits the press of a toggle button that has changed in the meantime,
 * for example because the visitor had already saved the service.
 */
export async function repeatEarlyActions(actions: EarlyAction[]): Promise<void> {
  const { href } = location;
  for (const { element, at, pressed, value, checked } of actions) {
    const isRecent = () => performance.now() - at < maxAgeMs;
    // Some buttons are disabled until the session is known.
    while (element.ariaDisabled === 'true' && isRecent()) await new Promise(requestAnimationFrame);
    delete element.dataset.early;
    if (!isRecent() || !element.isConnected || location.href !== href) continue;
    if (element instanceof HTMLSelectElement) {
      element.value = value;
      element.dispatchEvent(new Event('change', { bubbles: true }));
    } else if (element instanceof HTMLInputElement) {
      // React ignores a click that does not change the element.
      element.checked = !checked;
      element.click();
    } else if (element instanceof HTMLFormElement) element.requestSubmit();
    else if (element.ariaPressed === pressed) element.click();
  }
}
