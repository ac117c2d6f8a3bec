import { useState } from 'react';

/**
 * Returns the version to send with an edit. At first, it is the version that the customer has edited. If another edit was
 * saved first, the customer sees both edits. After that, the customer's edit overwrites the other edit, even if it takes
 * several attempts.
 */
export function useEditedVersion(edited: string, conflict: { current: { version: string } } | undefined): string {
  const [version, setVersion] = useState(edited);
  const latest = conflict?.current.version ?? version;
  if (latest !== version) setVersion(latest);
  return latest;
}
