/** Converts a picture to a data URL. The Content-Security-Policy does not allow blob URLs. */
export function toDataUrl(picture: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(new Error('The picture could not be read', { cause: reader.error })));
    reader.readAsDataURL(picture);
  });
}
