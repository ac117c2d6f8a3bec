import type { ReactNode } from 'react';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';

const text = {
  saved: 'Saved version',
  yours: 'Your version',
  empty: 'Empty',
  same: 'Both versions are the same.',
  saveYours: 'Save your version',
  takeSaved: 'Use the saved version',
};

export interface ComparedField {
  label: string;
  saved: string;
  yours: string;
  /**
   * Renders a value that is not empty. `version` is the heading above the value: 'Saved version' or 'Your version'. By
   * default, the value is rendered as text.
   */
  show?: (value: string, version: string) => ReactNode;
}

interface EditConflictProps {
  message: string;
  fields: readonly ComparedField[];
  /** Discards the customer's version, and shows the saved version in the form. */
  onTakeSaved: () => void;
}

/**
 * If another edit was saved first, shows the saved version and the customer's version side by side. Place this component
 * inside the form, because one of its buttons submits the form.
 */
export function EditConflict({ message, fields, onTakeSaved }: EditConflictProps) {
  const differing = fields.filter(({ saved, yours }) => saved !== yours);
  return (
    <section className="grid gap-4">
      <Alert>{message}</Alert>
      {differing.map(({ label, show, ...versions }) => (
        <div key={label} role="group" aria-label={label} className="grid gap-2">
          <h2 className="font-semibold">{label}</h2>
          <div className="grid gap-3 sm:grid-cols-2">
            {(['saved', 'yours'] as const).map((version) => (
              <div key={version} className="min-w-0 rounded-control border-2 border-line bg-surface p-3">
                <h3 className="text-small text-muted">{text[version]}</h3>
                {show && versions[version] ? (
                  show(versions[version], text[version])
                ) : (
                  <p className="whitespace-pre-line wrap-anywhere">
                    {versions[version] || <span className="text-muted">{text.empty}</span>}
                  </p>
                )}
              </div>
            ))}
          </div>
        </div>
      ))}
      {differing.length === 0 && <p>{text.same}</p>}
      <div className="flex flex-wrap gap-3">
        <Button ref={focusHeadingOnRemoval} type="submit" tone="quiet">
          {text.saveYours}
        </Button>
        <Button ref={focusHeadingOnRemoval} tone="quiet" onClick={onTakeSaved}>
          {text.takeSaved}
        </Button>
      </div>
    </section>
  );
}
