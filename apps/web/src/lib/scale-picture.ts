/** The largest width and height of a picture that is uploaded. */
const maxSidePx = 1920;
const previewSidePx = 160;
const quality = 0.9;

interface ScaledPicture {
  file: Blob;
  /** A thumbnail as a data URL. */
  preview: string;
}

/**
 * Scales a picture down, turns it upright, and removes its metadata, such as the place where it was taken. Returns null if
 * the browser cannot decode or encode the picture.
 */
export async function scalePicture(file: Blob): Promise<ScaledPicture | null> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    try {
      return { file: await encode(draw(bitmap, maxSidePx)), preview: draw(bitmap, previewSidePx).toDataURL() };
    } finally {
      bitmap.close();
    }
  } catch {
    return null;
  }
}

function draw(bitmap: ImageBitmap, sidePx: number): HTMLCanvasElement {
  const scale = Math.min(1, sidePx / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  contextOf(canvas).drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

async function encode(canvas: HTMLCanvasElement): Promise<Blob> {
  const picture = await toBlob(canvas, 'image/webp');
  if (picture.type === 'image/webp') return picture;
  // Without WebP, the picture becomes a JPEG. A JPEG has no transparency, so the background becomes white.
  const context = contextOf(canvas);
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return toBlob(canvas, 'image/jpeg');
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The canvas has no context');
  return context;
}

function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture was not encoded'))), type, quality);
  });
}
