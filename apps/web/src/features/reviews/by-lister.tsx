import type { Review } from '@rtr/shared';

const text = { byLister: 'By the lister' };

/** Marks a review whose author listed the service. */
export function ByLister({ review }: { review: Review }) {
  if (!review.byLister) return null;
  return (
    <span className="justify-self-start rounded-drawn bg-sunken px-2 text-small font-semibold text-ink">
      {text.byLister}
    </span>
  );
}
