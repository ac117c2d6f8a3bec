import * as fc from 'fast-check';

/** The kinds of values that are known only while the test runs, because the API or the Auth emulator creates them. */
const placeholderKinds = [
  'service',
  'hiddenService',
  'lister',
  'review',
  'hiddenReview',
  'conversation',
  'message',
  'case',
  'version',
  'picture',
  'pictureUrl',
  'privatePicture',
  'unsubscribeKey',
  'email',
] as const;
export type PlaceholderKind = (typeof placeholderKinds)[number];

/**
 * Matches a placeholder, such as `~service~3~` for the id of a service. A placeholder contains only characters that need
 * no escape in a URL or in JSON.
 */
const pattern = new RegExp(`~(${placeholderKinds.join('|')})~(\\d+)~`, 'g');

/** Creates placeholders. `prepareRequest` replaces each placeholder by an existing value, such as the id of a service. */
export function placeholder(kind: PlaceholderKind): fc.Arbitrary<string> {
  return fc.nat({ max: 9999 }).map((index) => `~${kind}~${index}~`);
}

/** Replaces the placeholders in a text. If `find` returns undefined, the placeholder is kept. */
export function replacePlaceholders(
  text: string,
  find: (kind: PlaceholderKind, index: number) => string | undefined,
): string {
  return text.replaceAll(pattern, (found, kind: PlaceholderKind, index: string) => find(kind, Number(index)) ?? found);
}
