/** Formats a value as JSON for a `<script>` element. Escapes `<`, because `</script>` in a text would end the element. */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
