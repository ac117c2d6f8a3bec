import { isVisible, limits, type MessagePhoto, text } from '@rtr/shared';
import * as z from 'zod/mini';
import { readPhotos } from '../../lib/photos.ts';

/** The schema of the form for a message. The photos are JSON, and the field is missing if there are none. */
export const messageForm = z
  .object({
    text: text(limits.messageLength),
    photos: z._default(
      z.pipe(
        z.string(),
        z.transform((json: string) => readPhotos<MessagePhoto>(json)),
      ),
      [],
    ),
    idempotencyKey: z.string(),
  })
  .check(
    z.refine(({ text, photos }) => isVisible(text) || photos.length > 0, {
      path: ['text'],
      error: 'Write a message or add a photo first.',
    }),
  );

/** Converts the values of the form to texts, because a draft contains only texts. */
export const draftValuesOf = ({ text, photos }: { text: string; photos: MessagePhoto[] }) => ({
  text,
  photos: JSON.stringify(photos),
});
