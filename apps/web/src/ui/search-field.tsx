import { limits } from '@rtr/shared';
import { type KeyboardEvent, useId, useState } from 'react';
// oxlint-disable-next-line no-restricted-imports -- a search changes no data, so it may be sent twice
import { Form, useLocation, useNavigate, useNavigation } from 'react-router-dom';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { useHydrated } from '../lib/page-context.ts';
import { IconButton } from './button.tsx';
import { HiddenFields } from './hidden-fields.tsx';
import { Icon } from './icon.tsx';
import { Input } from './input.tsx';

const text = { suggestions: 'Suggestions' };

const keyOf = ({ text, to = '' }: FieldSuggestion) => `${to} ${text}`;

export interface FieldSuggestion {
  text: string;
  /** What kind of suggestion it is. Empty for a search text. */
  hint: string;
  /** The address that the suggestion opens. Without it, the field searches for `text`. */
  to?: string;
}

interface SearchFieldProps {
  label: string;
  /** The path of the page with the results. It receives the search as `?q=`. */
  action: string;
  value: string;
  /** The query parameters of the current address that the form also sends. */
  keep?: Record<string, string>;
  /** The suggestions for the text with which `onType` was last called. */
  suggestions: readonly FieldSuggestion[];
  onType: (text: string) => void;
  className?: string;
}

/**
 * A search field with suggestions. It is an editable combobox with list autocomplete and manual selection, as the ARIA
 * Authoring Practices Guide describes it. Without JavaScript, it is a plain search field.
 */
export function SearchField({
  label,
  action,
  value,
  keep = {},
  suggestions,
  onType,
  className = '',
}: SearchFieldProps) {
  const id = useId();
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const loadingKey = useNavigation().location?.key;
  // The key of the history entry that was loading when the customer last typed. Undefined if no page was loading.
  const [loadingKeyAtInput, setLoadingKeyAtInput] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const [selected, setSelected] = useState<string>();
  const fieldKey = useFieldKey(value, loadingKeyAtInput);
  const isShown = isOpen && suggestions.length > 0;
  // If the selected suggestion is not among the new suggestions, no suggestion is active.
  const active = isShown ? suggestions.find((suggestion) => keyOf(suggestion) === selected) : undefined;
  const idOf = (index: number) => `${id}-${index}`;

  function type(field: HTMLInputElement): void {
    setLoadingKeyAtInput(loadingKey);
    open(field);
  }

  function open({ value: typed }: HTMLInputElement): void {
    onType(typed);
    setIsOpen(true);
    setSelected(undefined);
  }

  function choose(form: HTMLFormElement | null, { text: chosen, to }: FieldSuggestion): void {
    if (to !== undefined) {
      setIsOpen(false);
      void navigate(to);
      return;
    }
    const field = form?.elements.namedItem('q');
    if (field instanceof HTMLInputElement) field.value = chosen;
    form?.requestSubmit();
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>): void {
    const { key, currentTarget, nativeEvent } = event;
    if (nativeEvent.isComposing) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (isShown) {
        const next = neighborOf(active, key === 'ArrowDown' ? 1 : -1, suggestions);
        setSelected(next && keyOf(next));
      } else open(currentTarget);
    } else if (key === 'Escape' && isShown) {
      // Escape only closes the suggestions. By default, the browser would also clear the field.
      event.preventDefault();
      setIsOpen(false);
    } else if (key === 'Enter' && active !== undefined) {
      event.preventDefault();
      choose(currentTarget.form, active);
    }
  }

  return (
    <Form action={action} role="search" onSubmit={() => setIsOpen(false)} className={`relative ${className}`}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Input
        hasButton
        key={fieldKey}
        ref={focusHeadingOnRemoval}
        id={id}
        type="search"
        name="q"
        defaultValue={value}
        maxLength={limits.searchLength}
        placeholder={label}
        enterKeyHint="search"
        autoComplete="off"
        {...(hydrated && {
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': isShown,
          'aria-controls': isShown ? id + text.suggestions : undefined,
          'aria-activedescendant': active === undefined ? undefined : idOf(suggestions.indexOf(active)),
        })}
        onChange={({ currentTarget }) => type(currentTarget)}
        onKeyDown={handleKey}
        onBlur={() => setIsOpen(false)}
      />
      <HiddenFields values={keep} />
      <IconButton label={label} variant="inField" type="submit">
        <Icon name="search" />
      </IconButton>
      {isShown && (
        <div
          id={id + text.suggestions}
          role="listbox"
          aria-label={text.suggestions}
          className="absolute top-full left-0 z-30 mt-1 w-max max-w-[min(28rem,100vw-2*var(--gutter))] min-w-full overflow-hidden rounded-control border-2 border-ink bg-surface shadow-overlay"
        >
          {suggestions.map((suggestion, index) => (
            <button
              key={keyOf(suggestion)}
              type="button"
              tabIndex={-1}
              id={idOf(index)}
              role="option"
              aria-selected={suggestion === active}
              // Prevents a click from moving the focus to the suggestion. The focus stays in the text field.
              onMouseDown={(event) => event.preventDefault()}
              onClick={({ currentTarget }) => choose(currentTarget.closest('form'), suggestion)}
              className="flex min-h-12 w-full items-center justify-between gap-4 px-3 py-2 text-left wrap-anywhere hover:bg-sunken aria-selected:bg-tint aria-selected:outline-3 aria-selected:-outline-offset-3 aria-selected:outline-focus"
            >
              <bdi>{suggestion.text}</bdi>
              {suggestion.hint && <span className="text-small text-muted"> {suggestion.hint}</span>}
            </button>
          ))}
        </div>
      )}
    </Form>
  );
}

/**
 * Returns the React key of the text field. With a new key, React replaces the field, and the focus moves from the field to
 * the heading of the results. The key changes when `value` changes. But if the customer has typed while the results were
 * loading, the key stays the same, so that the field keeps the typed text.
 */
function useFieldKey(value: string, loadingKeyAtInput: string | undefined): number {
  const { key } = useLocation();
  const [state, setState] = useState({ value, fieldKey: 0 });
  if (state.value !== value)
    setState({ value, fieldKey: loadingKeyAtInput === key ? state.fieldKey : state.fieldKey + 1 });
  return state.fieldKey;
}

/**
 * Returns the suggestion before or after `active`. Undefined means that no suggestion is active. This state comes after the
 * last suggestion and before the first.
 */
function neighborOf(
  active: FieldSuggestion | undefined,
  step: 1 | -1,
  suggestions: readonly FieldSuggestion[],
): FieldSuggestion | undefined {
  const index = active === undefined ? (step === 1 ? -1 : suggestions.length) : suggestions.indexOf(active);
  return suggestions[index + step];
}
