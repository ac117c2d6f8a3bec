import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../support/app.tsx';
import { aReview, aService, serve } from '../support/catalogue.ts';

test.each([
  // The same day in the formats of devices in the US, the UK, Germany and Sweden.
  ['3/4/2026', '2026-03-04T10:00:00.000Z', '4 March 2026'],
  ['04/03/2026', '2026-03-04T10:00:00.000Z', '4 March 2026'],
  ['4.3.26', '2026-03-04T10:00:00.000Z', '4 March 2026'],
  ['2026-03-04', '2026-03-04T10:00:00.000Z', '4 March 2026'],
  // The day in the author's time zone differs from the day in UTC: in Dhaka it is the next day, in New York the previous
  // day. The review shows the author's day.
  ['4/3/2026', '2026-03-03T20:00:00.000Z', '4 March 2026'],
  ['12/31/2025', '2026-01-01T02:00:00.000Z', '31 December 2025'],
  // In the following cases, the app cannot read the stored date, or the stored date is far from the time of writing.
  // The review then shows the UTC day of `createdAt`.
  ['৪/৩/২০২৬', '2026-03-04T10:00:00.000Z', '4 March 2026'],
  ['5/5/2025', '2026-03-04T10:00:00.000Z', '4 March 2026'],
  ['', '2026-03-04T10:00:00.000Z', '4 March 2026'],
])('a review with the stored date “%s” that was written at %s shows the date %s', async (date, createdAt, shown) => {
  const service = aService({ reviewCount: 1 });
  serve([service], [aReview(service, { date, createdAt, updatedAt: createdAt })]);
  await open(`/services/${service._id}`);
  const time = await screen.findByText(shown);
  expect(time.title).toBe(date);
  expect(time.getAttribute('datetime')).toBe(createdAt);
});
