import { useId } from 'react';

/** On a 24 px grid. */
export const starShape = 'M12 2.8 14.8 8.9 21.4 9.6 16.5 14.1 17.9 20.7 12 17.3 6.1 20.7 7.5 14.1 2.6 9.6 9.2 8.9Z';

/** Five stars, filled to the value; decoration beside the figure, which is text. */
export function Stars({ value, size = 20 }: { value: number; size?: number }) {
  const clip = useId();
  return (
    <svg width={size * 5} height={size} viewBox="0 0 120 24" aria-hidden="true" className="shrink-0 text-star">
      <clipPath id={clip}>
        <rect width={(Math.min(Math.max(value, 0), 5) / 5) * 120} height="24" />
      </clipPath>
      {[0, 1, 2, 3, 4].map((at) => (
        <path
          key={at}
          d={starShape}
          transform={`translate(${at * 24})`}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinejoin="round"
        />
      ))}
      <g clipPath={`url(#${clip})`} fill="currentColor" stroke="currentColor" strokeWidth="2" strokeLinejoin="round">
        {[0, 1, 2, 3, 4].map((at) => (
          <path key={at} d={starShape} transform={`translate(${at * 24})`} />
        ))}
      </g>
    </svg>
  );
}
