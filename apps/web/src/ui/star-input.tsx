import { useRef, useState } from 'react';
import { starShape } from './stars.tsx';

interface StarInputProps {
  label: string;
  hint: string;
  name: string;
  /** The stars that are chosen at first: '1' to '5', or '' for none. */
  initial: string;
  /** The meaning of each number of stars, from 1 to 5, such as 'Poor'. */
  meanings: readonly string[];
  /** Returns the accessible name of one radio button. */
  spoken: (stars: number, meaning: string) => string;
  clear: string;
  /** Called with the chosen stars: '1' to '5', or '' for none. */
  onChange: (value: string) => void;
}

/** A field for one to five stars, or none. It consists of radio buttons. */
export function StarInput({ label, hint, name, initial, meanings, spoken, clear, onChange }: StarInputProps) {
  const [chosen, setChosen] = useState(Number(initial) || 0);
  const first = useRef<HTMLInputElement>(null);
  return (
    <fieldset className="grid gap-1">
      <legend className="font-semibold">{label}</legend>
      <p className="text-small text-muted">{hint}</p>
      <div className="flex flex-wrap items-center gap-x-4">
        <div className="-ml-2 flex flex-wrap">
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
              // Moves the focus to the first star, because the clicked button disappears.
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
