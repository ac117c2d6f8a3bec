import { useEffect, useState } from 'react';
import { createStorage } from '../lib/storage.ts';
import { Icon } from './icon.tsx';
import { MessagePortal, useMessageContainer } from './message-container.tsx';

const text = {
  offline: 'You are offline. What you type is kept on this device.',
  back: 'You are back online.',
};

/** How long the message 'You are back online' is shown. */
const backShownMs = 4000;

/**
 * The `sessionStorage` key under which the page stores that the browser was offline. A page that failed to load reloads when
 * the browser is online again. The reloaded page finds this key and shows the message 'You are back online'.
 */
const wasOfflineKey = 'rtr-was-offline';

/** Shows a message when the browser goes offline, and when it is online again. */
export function Connection() {
  // At first, there is no text, even if the page opens offline. A screen reader announces only a text that is added to an
  // existing live region.
  const [state, setState] = useState<{ kind: 'offline' | 'back'; createdAt: number }>();
  const [tabStorage] = useState(() => createStorage(() => sessionStorage));
  const { liveness } = useMessageContainer();
  useEffect(() => {
    const offline = () => {
      tabStorage.set(wasOfflineKey, 'true');
      setState({ kind: 'offline', createdAt: Date.now() });
    };
    const back = () => setState({ kind: 'back', createdAt: Date.now() });
    if (!navigator.onLine) offline();
    else if (tabStorage.get(wasOfflineKey)) back();
    addEventListener('offline', offline);
    addEventListener('online', back);
    return () => {
      removeEventListener('offline', offline);
      removeEventListener('online', back);
    };
  }, [tabStorage]);
  useEffect(() => {
    if (state?.kind !== 'back') return;
    const timer = setTimeout(() => {
      tabStorage.remove(wasOfflineKey);
      setState(undefined);
    }, backShownMs);
    return () => clearTimeout(timer);
  }, [state, tabStorage]);
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
