import { runInThisContext } from 'node:vm';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { earlyActionsScript } from '../server/early-actions-script.ts';
import { repeatEarlyActions } from '../src/lib/early-actions.ts';

// The browser tests show that the pages repeat early actions. These tests cover the actions that must not be repeated.

afterEach(() => history.replaceState(null, '', '/'));

/** Adds a button to the page and returns it with the action of pressing it. `clicks` records its clicks. */
function earlyPress(name: string, clicks: string[], ageMs = 0) {
  const element = document.createElement('button');
  element.addEventListener('click', () => clicks.push(name));
  document.body.append(element);
  return { element, at: performance.now() - ageMs, pressed: element.ariaPressed, value: '', checked: false };
}

test('an action is repeated for 10 s after it happened, and not later', async () => {
  const clicks: string[] = [];
  await repeatEarlyActions([earlyPress('old', clicks, 10_100), earlyPress('recent', clicks, 9000)]);
  expect(clicks).toEqual(['recent']);
});

test('an action is not repeated if its element is gone', async () => {
  const clicks: string[] = [];
  const [gone, present] = [earlyPress('gone', clicks), earlyPress('present', clicks)];
  gone.element.remove();
  await repeatEarlyActions([gone, present]);
  expect(clicks).toEqual(['present']);
});

test('no action is repeated after an action that opens another page', async () => {
  const clicks: string[] = [];
  const [first, second] = [earlyPress('first', clicks), earlyPress('second', clicks)];
  first.element.addEventListener('click', () => history.pushState(null, '', '/login'));
  await repeatEarlyActions([first, second]);
  expect(clicks).toEqual(['first']);
});

test('while the script records, React receives no pointer events and no recorded events, but it receives clicks on links', () => {
  const types = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend', 'click', 'change'];
  const seen: string[] = [];
  // React listens at the document.
  const see = ({ type, target }: Event) => void seen.push(`${type} ${(target as Element).localName}`);
  document.body.innerHTML =
    '<a href="/login">Login</a><button type="button">Menu</button><select></select><input type="radio">';
  const elements = document.querySelectorAll('a, button, select, input');
  const act = () => {
    for (const element of elements)
      for (const type of types) element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
  };
  for (const type of types) document.addEventListener(type, see, true);
  onTestFinished(() => {
    for (const type of types) document.removeEventListener(type, see, true);
  });
  runInThisContext(earlyActionsScript);
  act();
  expect(seen).toEqual(['click a', 'change a', 'change button', 'click select']);
  expect(window.stopRecording?.().map(({ element }) => element)).toEqual([...elements].slice(1));
  seen.length = 0;
  act();
  expect(seen).toHaveLength(4 * types.length);
});

test('the inline script has at most 1 KB', () => {
  expect(earlyActionsScript.length).toBeLessThanOrEqual(1024);
});
