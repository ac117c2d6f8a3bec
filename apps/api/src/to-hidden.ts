import type { HiddenContent } from '@rtr/shared';
import type { Hidden } from './database/documents/hidden.ts';

export function toHidden({ at, reason }: Hidden): HiddenContent {
  return { at: at.toISOString(), reason };
}
