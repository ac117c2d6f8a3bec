export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The URL is revoked later, because some browsers read it after the click event.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
