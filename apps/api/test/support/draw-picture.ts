import sharp from 'sharp';

/** Draws a picture that has only one colour. */
export const drawPicture = (width: number, height = 8) =>
  sharp({ create: { width, height, channels: 3, background: '#b63a0c' } });
