import { useState } from 'react';

/**
 * Returns the version to send with an edit. At first, it is the version that the customer has edited. If another edit was
 * saved first, the customer sees both versions. From then on, the customer's edit overwrites the other one, even if the
 * first attempt to save fails.
 */
export function useEditedVersion(edited: string, conflict: { current: { version: string } } | undefined): string {
  const [version, setVersion] = useState(edited);
  const latest = conflict?.current.version ?? version;
  if (latest !== version) setVersion(latest);
  return latest;
}
