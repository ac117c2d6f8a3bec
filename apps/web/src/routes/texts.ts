import { serviceText } from '../features/services/texts.ts';
import type { Failure } from '../lib/failure.ts';

/** The names of the child routes of `Protected`. The document title contains the name even while the page loads. */
export const protectedPageNames = {
  addService: 'Add Service',
  myReviews: 'My Review',
  writeReview: 'Review',
  editReview: 'Edit Review',
  reply: 'Reply',
  myServices: serviceText.yours,
  editService: 'Edit service',
  account: 'Account',
  ask: 'Ask for a price',
  requests: 'Requests',
  request: 'Request',
  news: 'News',
};

/** The texts that several routes show. */
export const routeText = {
  unavailable: 'We cannot reach the kitchen right now. Nothing is lost.',
  unavailableForForm: 'We cannot reach the kitchen right now. Your text is safe here.',
  readOnServicePage: 'You can read it on the service page.',
  seeService: 'See the service',
  /** The label of the text that a customer typed into a form that can no longer be sent. */
  unsavedText: 'Your text',
};

/**
 * Creates the function that returns the text for a failed attempt to send a form. `texts` has the text for each reason that
 * the form explains, and the text for all other reasons.
 */
export const failedTextOf =
  (texts: Partial<Record<Failure['reason'], string>> & { other: string }) =>
  ({ reason }: Failure): string =>
    reason === 'unavailable' ? routeText.unavailableForForm : (texts[reason] ?? texts.other);
