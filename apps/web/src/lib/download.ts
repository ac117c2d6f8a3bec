/** Saves a text as a file on this device. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the URL only after the click event has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
