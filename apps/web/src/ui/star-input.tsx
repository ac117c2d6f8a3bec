import { useRef, useState } from 'react';
import { starShape } from './stars.tsx';

interface StarInputProps {
  label: string;
  hint: string;
  name: string;
  /** '1' to '5', or empty. */
  initial: string;
  /** The meanings of 1 to 5 stars, in this order. */
  meanings: readonly string[];
  /** The accessible name of one choice. */
  spoken: (stars: number, meaning: string) => string;
  clear: string;
  /** Called with '1' to '5', or empty. */
  onChange: (value: string) => void;
}

/** One to five stars, or none, as radio buttons. */
export function StarInput({ label, hint, name, initial, meanings, spoken, clear, onChange }: StarInputProps) {
  const [chosen, setChosen] = useState(Number(initial) || 0);
  const first = useRef<HTMLInputElement>(null);
  return (
    <fieldset className="grid gap-1">
      <legend className="font-semibold">{label}</legend>
      <p className="text-small text-muted">{hint}</p>
      <div className="flex flex-wrap items-center gap-x-4">
        <div className="-ml-2 flex">
          {meanings.map((meaning, index) => {
            const stars = index + 1;
            return (
              <label
                key={meaning}
                title={meaning}
                className="grid size-12 cursor-pointer place-items-center rounded-control text-star has-focus-visible:outline-3 has-focus-visible:outline-offset-[-2px] has-focus-visible:outline-focus"
              >
                <input
                  ref={index === 0 ? first : null}
                  type="radio"
                  name={name}
                  value={stars}
                  checked={chosen === stars}
                  aria-label={spoken(stars, meaning)}
                  onChange={() => {
                    setChosen(stars);
                    onChange(String(stars));
                  }}
                  className="sr-only"
                />
                <svg width="32" height="32" viewBox="0 0 24 24" aria-hidden="true">
                  <path
                    d={starShape}
                    fill={stars <= chosen ? 'currentColor' : 'none'}
                    stroke="currentColor"
                    strokeWidth="2"
                    strokeLinejoin="round"
                  />
                </svg>
              </label>
            );
          })}
        </div>
        <span className="font-semibold" aria-hidden="true">
          {meanings[chosen - 1]}
        </span>
        {chosen > 0 && (
          <button
            type="button"
            className="link min-h-8 text-small"
            onClick={() => {
              setChosen(0);
              onChange('');
              // This button is removed, so move the focus.
              first.current?.focus();
            }}
          >
            {clear}
          </button>
        )}
      </div>
    </fieldset>
  );
}
