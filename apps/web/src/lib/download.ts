export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revokes the URL later, because some browsers read it only after the click event was handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
