import type { HiddenContent } from '@rtr/shared';
import type { Hidden } from './database/documents/hidden.ts';

export function toHidden({ at, reason, isAppealed }: Hidden): HiddenContent {
  return { at: at.toISOString(), reason, ...(isAppealed && { isAppealed }) };
}
