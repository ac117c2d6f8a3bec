import { useState } from 'react';

/**
 * Returns the version to send with an edit. At first, it is the version that the customer has edited. After a conflict,
 * it is the version of the other edit. The page shows that edit, so the customer's next attempt may overwrite it.
 */
export function useEditedVersion(edited: string, conflict: { current: { version: string } } | undefined): string {
  const [version, setVersion] = useState(edited);
  const latest = conflict?.current.version ?? version;
  if (latest !== version) setVersion(latest);
  return latest;
}
