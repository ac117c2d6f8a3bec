import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

const minuteMs = 60_000;
const Now = createContext(0);

/**
 * Returns the current time in milliseconds since 1970, and updates it every minute. The first render uses the time of the
 * rendering on the server, so that hydration renders the same text.
 */
export const useNow = (): number => useContext(Now);

export function NowProvider({ initial, children }: { initial: number; children: ReactNode }) {
  const [now, setNow] = useState(initial);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, []);
  return <Now value={now}>{children}</Now>;
}
