import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from './support/app.tsx';

const questions = ['SQL vs NoSQL', 'How Node handles concurrent requests', 'JavaScript vs Node', 'What a JWT is'];

test('the page Blogs shows four questions as cards', async () => {
  await open('/blogs');
  await screen.findByRole('heading', { level: 1, name: 'Blogs' });
  const cards = screen.getAllByRole('article');
  expect(cards.map((card) => within(card).getByRole('heading').textContent)).toEqual(questions);
  await waitFor(() => expect(document.title).toBe('Blogs RTR Cloud Kitchen'));
});

test('on the page Blogs, each button opens its answer in a dialog, and closing the dialog returns the focus to the button', async () => {
  const { user } = await open('/blogs');
  for (const question of questions) {
    const button = await screen.findByRole('button', { name: `Read the answer: ${question}` });
    await user.click(button);
    const dialog = screen.getByRole('dialog', { name: question });
    expect(dialog.textContent?.length).toBeGreaterThan(800);
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(button);
  }
});
