import { isVisible, limits } from '@rtr/shared';

/** The texts about services that several pages show. */
export const serviceText = {
  whoCanAdd: 'Anyone who is logged in can add a service.',
  find: 'Find a service',
  search: 'Search services',
  seeAll: 'See all services',
  yours: 'My services',
  seeYours: 'See your services',
  newest: 'Newest services',
  loading: 'Loading services…',
  failed: 'The services did not load',
  moreFailed: 'We could not load more services.',
  unlisted: 'This service is not listed',
  picture: 'the picture of this service',
  noPicture: 'No picture given',
  otherPicture: 'You can choose another picture.',
  withdrawal: `A service that you withdraw is hidden immediately, with its reviews. You can list it again for ${limits.withdrawnDays} days on the page My services. Then we erase it. The authors of its reviews can still read, export and delete their reviews.`,
  afterAccountDeletion:
    'Services that you added stay on the site, but without your name, phone number, website, opening hours, licence and insurance. Withdraw them first if you do not want this.',
};

/** The texts of the values of `insured`. */
export const insuredNames: Partial<Record<string, string>> = { '': 'Not stated', yes: 'Yes', no: 'No' };

const text = { noPrice: 'Price on request' };

export const priceOf = ({ price }: { price: string }) => (isVisible(price) ? price.trim() : text.noPrice);

const maxLength = 100;
const characters = new Intl.Segmenter();
/**
 * Matches a text that consists only of Latin letters, digits and common punctuation. Each of its characters is one grapheme
 * (visible character), so it can be shortened without the slow segmenter.
 */
const plain = /^[ -~\u00a1-\u00a8\u00c0-\u02ff\u2010-\u2026]*$/;

/** Returns the first 100 graphemes (visible characters) of a text, with '...' if there are more. */
export function excerptOf(description: string): string {
  const head = description.slice(0, maxLength + 1);
  if (plain.test(head)) return head.length > maxLength ? `${description.slice(0, maxLength)}...` : description;
  // The segmenter finds the next grapheme only when the loop needs it, so the rest of a long text is not processed.
  let count = 0;
  for (const { index } of characters.segment(description)) {
    if (count === maxLength) return `${description.slice(0, index)}...`;
    count += 1;
  }
  return description;
}
