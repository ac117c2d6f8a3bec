import { CopyText } from './copy-text.tsx';
import { AreaField, Field } from './field.tsx';

const text = { hint: 'Your text is kept on this device. Copy it if you want to use it elsewhere.' };

/** A text of at most this length fits into one line of a form. */
const maxLineLength = 60;

interface UnsavedTextProps {
  /** The fields of the draft. Empty fields are not shown. */
  fields: readonly { label: string; name: string; value: string }[];
}

/** Shows the draft of a form that cannot be sent any more. The customer can only copy the text. */
export function UnsavedText({ fields }: UnsavedTextProps) {
  const filled = fields.filter(({ value }) => value !== '');
  const copied =
    fields.length === 1 ? filled[0]?.value : filled.map(({ label, value }) => `${label}: ${value}`).join('\n');
  if (!copied) return null;
  return (
    <div className="mt-6 grid max-w-130 gap-4">
      <p>{text.hint}</p>
      {filled.map((field) =>
        field.value.length > maxLineLength || field.value.includes('\n') ? (
          <AreaField key={field.name} {...field} readOnly />
        ) : (
          <Field key={field.name} {...field} readOnly />
        ),
      )}
      <div>
        <CopyText text={() => copied} />
      </div>
    </div>
  );
}
