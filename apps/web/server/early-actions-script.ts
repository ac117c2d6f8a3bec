/**
 * The inline script at the start of the body. It records the buttons, selects, radio buttons and checkboxes that a visitor
 * uses before the hydration. The attribute `data-early` shows the visitor that a press was received. Links and the buttons
 * that send forms work without JavaScript, so the script ignores them. If an element is used twice, the second use replaces
 * the first one. The web server adds the hash of this script to the
 * Content-Security-Policy.
 */
export const earlyActionsScript = `(() => {
  let recorded = [];
  const record = ({ type, target }) => {
    const element = target.closest(type === 'click' ? 'button[type=button]' : 'select,[type=radio],[type=checkbox]');
    if (!element) return;
    const { value, checked } = element;
    recorded = recorded.filter((early) => early.element !== element);
    recorded.push({ element, at: performance.now(), pressed: element.ariaPressed, value, checked });
    element.dataset.early = '';
  };
  const types = ['click', 'change'];
  types.forEach((type) => addEventListener(type, record, true));
  window.stopRecording = () => {
    types.forEach((type) => removeEventListener(type, record, true));
    return recorded;
  };
})()`;
