import type { Review } from '@rtr/shared';
import { Chip } from '../../ui/chip.tsx';
import { reviewText } from './texts.ts';

/** A label for a review by the lister. The lister is the customer who added the service. */
export function ByLister({ review }: { review: Review }) {
  if (!review.byLister) return null;
  return <Chip>{reviewText.byLister}</Chip>;
}
