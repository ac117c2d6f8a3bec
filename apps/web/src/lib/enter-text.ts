/** Replaces the text of an uncontrolled field. The form handles this like typing. */
export function enterText(field: HTMLInputElement | null, text: string): void {
  if (!field) return;
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
