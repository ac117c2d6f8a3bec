/** JSON that can stand in a `<script>`: no text in it can end the element. */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
