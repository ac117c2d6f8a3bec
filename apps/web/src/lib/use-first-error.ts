import { useEffect } from 'react';

/** After a sending that was refused for what some fields hold, the focus goes to the first of them: its error is read out. */
export function useFirstError(sent: unknown): void {
  useEffect(() => {
    if (sent) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [sent]);
}
