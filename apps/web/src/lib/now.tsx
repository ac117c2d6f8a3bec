import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

const minuteMs = 60_000;
const Now = createContext(0);

/** The time in milliseconds since 1970: of the server in the first render, then of this device, to the minute. */
export const useNow = (): number => useContext(Now);

export function NowProvider({ initial, children }: { initial: number; children: ReactNode }) {
  const [now, setNow] = useState(initial);
  useEffect(() => {
    const update = () => setNow(Date.now());
    update();
    const timer = setInterval(update, minuteMs);
    return () => clearInterval(timer);
  }, []);
  return <Now value={now}>{children}</Now>;
}
