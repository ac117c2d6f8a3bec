/** Reads the photos from the JSON that a form or its draft contains. */
export function readPhotos<Photo>(json = '[]'): Photo[] {
  return JSON.parse(json) as Photo[];
}
