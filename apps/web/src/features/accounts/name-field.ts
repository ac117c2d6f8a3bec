import { cleanName, limits, nameProblem, productName } from '@rtr/shared';
import * as z from 'zod/mini';

const text = {
  length: `Enter a name of 1 to ${limits.nameLength} characters.`,
  reserved: `Your name cannot contain “${productName}”. Enter another name.`,
};

/** The schema of a form field for a name. Like the API, it removes control characters and extra spaces. */
export const nameField = z.pipe(z.string(), z.transform(cleanName)).check(
  z.refine((name) => nameProblem(name) !== 'length', { error: text.length }),
  z.refine((name) => nameProblem(name) !== 'reserved', { error: text.reserved }),
);
