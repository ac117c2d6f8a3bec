import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../support/app.tsx';
import { aReview, aService, serve } from '../support/catalogue.ts';

const createdAt = '2026-03-04T23:30:00.000Z';

test.each([
  ['exactly as stored, even if the date in UTC is different', '5.3.2026', '5.3.2026'],
  ['in UTC, taken from `createdAt`, if no date is stored', '', '4 March 2026'],
])('the page of a service shows the date of a review %s', async (_, date, shown) => {
  const service = aService({ reviewCount: 1 });
  serve([service], [aReview(service, { date, createdAt, updatedAt: createdAt })]);
  await open(`/services/${service._id}`);
  const time = (await screen.findByText(shown)).closest('time');
  expect(time?.dateTime).toBe(createdAt);
});
