import type { Page } from '@playwright/test';

/** Draws a picture in the browser, as a PNG file. */
export async function drawPng(page: Page, width: number, height: number) {
  const url = await page.evaluate(
    ([width, height]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d');
      context?.fillRect(width / 4, height / 4, width / 2, height / 2);
      return canvas.toDataURL('image/png');
    },
    [width, height] as const,
  );
  return { name: 'hood.png', mimeType: 'image/png', buffer: Buffer.from(url.split(',')[1] ?? '', 'base64') };
}
