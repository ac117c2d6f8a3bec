/** Replaces the text of an uncontrolled field, as if the customer had typed it. */
export function enterText(field: HTMLInputElement | null, text: string): void {
  if (!field) return;
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
