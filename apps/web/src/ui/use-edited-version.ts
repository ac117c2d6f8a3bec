import { useState } from 'react';

/**
 * Returns the version to send with an edit. At first, it is the version that the customer has edited. If another edit was
 * saved first, the page shows both edits, and this function returns the version of the other edit. So the next attempt
 * overwrites the other edit.
 */
export function useEditedVersion(edited: string, conflict: { current: { version: string } } | undefined): string {
  const [version, setVersion] = useState(edited);
  const latest = conflict?.current.version ?? version;
  if (latest !== version) setVersion(latest);
  return latest;
}
