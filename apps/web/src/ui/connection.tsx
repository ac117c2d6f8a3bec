import { useEffect, useState } from 'react';
import { tabStorage } from '../lib/storage.ts';
import { Icon } from './icon.tsx';
import { MessagePortal, useMessageOutlet } from './message-outlet.tsx';

const text = {
  offline: 'You are offline. You can read what is already here; what you type is kept on this device.',
  back: 'You are back online.',
};

/** Milliseconds for which it is said that the network is back. */
const backShownMs = 4000;

/** Kept until that has been said: a page that could not load reloads as soon as the network is back. */
const wasOffline = 'rtr-was-offline';

/** Says when the browser has no network, and when it has one again. */
export function Connection() {
  // Silent at first, even on a page that opens offline: what comes into a region together with it is not read out.
  const [state, setState] = useState<{ kind: 'offline' | 'back'; createdAt: number }>();
  const { liveness } = useMessageOutlet();
  useEffect(() => {
    const offline = () => {
      tabStorage.set(wasOffline, 'true');
      setState({ kind: 'offline', createdAt: Date.now() });
    };
    const back = () => setState({ kind: 'back', createdAt: Date.now() });
    if (!navigator.onLine) offline();
    else if (tabStorage.get(wasOffline)) back();
    addEventListener('offline', offline);
    addEventListener('online', back);
    return () => {
      removeEventListener('offline', offline);
      removeEventListener('online', back);
    };
  }, []);
  useEffect(() => {
    if (state?.kind !== 'back') return;
    const clock = setTimeout(() => {
      tabStorage.remove(wasOffline);
      setState(undefined);
    }, backShownMs);
    return () => clearTimeout(clock);
  }, [state]);
  return (
    <MessagePortal region="connection">
      {state && (
        <p
          data-connection={state.kind}
          aria-live={liveness(state.createdAt)}
          className={`border-t-2 border-current py-3 text-small font-semibold ${state.kind === 'offline' ? 'bg-warn-ground text-warn' : 'bg-ok-ground text-ok'}`}
        >
          <span className="column flex gap-3">
            <Icon name={state.kind === 'offline' ? 'alert' : 'check'} />
            {text[state.kind]}
          </span>
        </p>
      )}
    </MessagePortal>
  );
}
