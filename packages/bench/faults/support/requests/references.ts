import * as fc from 'fast-check';

/** The kinds of values that are known only when a request is sent, because the API or the Auth emulator has created them. */
export type ReferenceKind = 'service' | 'review' | 'case' | 'picture' | 'pictureUrl' | 'email';

/**
 * Matches a reference: a placeholder for a value that the API or the Auth emulator creates. For example, `~service~3~`
 * stands for the id of a service. A reference contains only characters that need no escape in a URL or in JSON.
 */
const pattern = /~(service|review|case|picture|pictureUrl|email)~(\d+)~/g;

/**
 * Creates references, which stand for values such as the id of a service. `prepareRequest` replaces each reference by
 * an existing value.
 */
export function reference(kind: ReferenceKind): fc.Arbitrary<string> {
  return fc.nat({ max: 9999 }).map((index) => `~${kind}~${index}~`);
}

/** Replaces the references in a text. If `find` returns undefined, the reference is kept. */
export function replaceReferences(
  text: string,
  find: (kind: ReferenceKind, index: number) => string | undefined,
): string {
  return text.replaceAll(pattern, (found, kind: ReferenceKind, index: string) => find(kind, Number(index)) ?? found);
}
