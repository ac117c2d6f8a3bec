/**
 * The inline script at the start of the body. Until the page is ready, it records the buttons, selects, radio buttons and
 * checkboxes that a visitor uses, and the forms that only the app can send: those with the method POST. The app repeats these
 * actions later (see `repeatEarlyActions`). The attribute `data-early` shows the visitor that an action was received. Links, and
 * other forms, work without JavaScript, so the script does not record them. If an element is used twice, the second use
 * replaces the first one.
 *
 * The script stops the propagation of the recorded events, and of all pointer, mouse and touch events. If React received one
 * of them during the hydration, it would hydrate the whole page in one long task, and could show nothing meanwhile.
 *
 * The web server adds the hash of this script to the Content-Security-Policy. The indentation is removed, because the script
 * is part of every page.
 */
export const earlyActionsScript = `(() => {
  let recorded = [];
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  const inputs = '[type=radio],[type=checkbox]';
  const selectors = {
    click: 'button[type=button],' + inputs,
    change: 'select,' + inputs,
    submit: '[method=post]',
  };
  const hide = (event) => event.stopPropagation();
  const record = (event) => {
    const element = event.target.closest(selectors[event.type]);
    if (!element) return;
    hide(event);
    if (event.type === 'submit') event.preventDefault();
    const { value, checked } = element;
    recorded = recorded.filter((early) => early.element !== element);
    recorded.push({ element, at: performance.now(), pressed: element.ariaPressed, value, checked });
    element.dataset.early = '';
  };
  for (const type in selectors) addEventListener(type, record, options);
  for (const type of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend'])
    addEventListener(type, hide, options);
  window.stopRecording = () => {
    stop.abort();
    return recorded;
  };
})()`.replaceAll(/^ +/gm, '');
