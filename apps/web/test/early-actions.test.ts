import { afterEach, expect, test } from 'vitest';
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

test('the inline script has at most 1 KB', () => {
  expect(earlyActionsScript.length).toBeLessThanOrEqual(1024);
});
