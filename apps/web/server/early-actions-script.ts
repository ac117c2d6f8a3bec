/**
 * The inline script at the start of the body. It records the buttons, selects, radio buttons and checkboxes that a visitor
 * uses before the hydration, and the forms that only the app can send: those with the method POST. The attribute `data-early`
 * shows the visitor that a press was received. Links, and other forms, work without JavaScript, so the script ignores them. If
 * an element is used twice, the second use replaces the first one. The web server adds the hash of this script to the
 * Content-Security-Policy.
 */
export const earlyActionsScript = `(() => {
  let recorded = [];
  const selectors = {
    click: 'button[type=button]',
    change: 'select,[type=radio],[type=checkbox]',
    submit: '[method=post]',
  };
  const record = (event) => {
    const element = event.target.closest(selectors[event.type]);
    if (!element) return;
    if (event.type === 'submit') event.preventDefault();
    const { value, checked } = element;
    recorded = recorded.filter((early) => early.element !== element);
    recorded.push({ element, at: performance.now(), pressed: element.ariaPressed, value, checked });
    element.dataset.early = '';
  };
  const types = Object.keys(selectors);
  types.forEach((type) => addEventListener(type, record, true));
  window.stopRecording = () => {
    types.forEach((type) => removeEventListener(type, record, true));
    return recorded;
  };
})()`;
