/** The SVG path of a star that starts at the upper tip of the star. */
const outline = 'l2.8 6.1 6.6.7-4.9 4.5 1.4 6.6-5.9-3.4-5.9 3.4 1.4-6.6-4.9-4.5 6.6-.7Z';
/** The SVG path of a star on a 24 px grid. */
export const starShape = `M12 2.8${outline}`;
/** The SVG path of five stars. A long list contains it more than 100 times, so it is a single path. */
const fiveStars = starShape + `m24 0${outline}`.repeat(4);

/**
 * Five stars, filled from the left according to `value`. They are hidden from screen readers, so the page must also show the
 * value as text.
 */
export function Stars({ value }: { value: number }) {
  const share = Math.min(Math.max(value, 0), 5) / 5;
  return (
    <svg
      viewBox="0 0 120 24"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinejoin="round"
      aria-hidden="true"
      className="h-5 w-25 shrink-0 text-star"
    >
      <path d={fiveStars} fill="none" />
      {/* This inner image cuts off the filled stars at its right edge. */}
      <svg width={Math.round(share * 120)} height="24">
        <path d={fiveStars} fill="currentColor" />
      </svg>
    </svg>
  );
}
