/**
 * The inline script at the start of the body. It records the buttons, selects, radio buttons and checkboxes that a visitor
 * uses before the hydration, and the forms that only the app can send: those with the method POST. The attribute `data-early`
 * shows the visitor that a press was received. Links, and other forms, work without JavaScript, so the script ignores them. If
 * an element is used twice, the second use replaces the first one. The script hides from React what it records, and every press
 * and touch. At a press during the hydration, React would hydrate the whole page at once, and the visitor would see no
 * reaction until then. The web server adds the hash of this script to the Content-Security-Policy. The text has no
 * indentation, so that it is smaller.
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
