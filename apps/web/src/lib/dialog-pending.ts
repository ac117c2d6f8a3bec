import { createContext, use, useEffect } from 'react';

const SetPending = createContext<(isPending: boolean) => void>(() => {});

/** A dialog uses this provider to give its content a function that keeps the dialog open. */
export const DialogPendingProvider = SetPending.Provider;

/** Keeps the surrounding dialog open while `isPending` is true, so that the customer sees the result. */
export function useKeepDialogOpen(isPending: boolean): void {
  const setPending = use(SetPending);
  useEffect(() => {
    if (!isPending) return;
    setPending(true);
    return () => setPending(false);
  }, [isPending, setPending]);
}
