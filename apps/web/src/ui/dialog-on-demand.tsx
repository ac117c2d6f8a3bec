import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { reloadIfReachable } from '../lib/deployment.ts';
import { onDemand } from '../lib/on-demand.ts';
import { commonText } from './texts.ts';
import { toast } from './toasts.tsx';

const text = { failed: 'The dialog did not load' };
const toastId = 'dialog';

/**
 * Returns a dialog whose script loads when the dialog opens. If the script does not load, the dialog closes and a toast
 * offers to reload the page, so that the page stays readable. With React.lazy, the error page would replace the page.
 */
export function dialogOnDemand<Props extends { onClose: () => void }>(load: () => Promise<ComponentType<Props>>) {
  const loadScript = onDemand(load);
  return function DialogOnDemand(props: Props) {
    const [Dialog, setDialog] = useState<ComponentType<Props>>();
    const handleFailure = useEffectEvent(() => {
      toast.error(text.failed, { id: toastId, action: { label: commonText.reload, onPress: () => void reload() } });
      props.onClose();
    });
    useEffect(() => {
      let isMounted = true;
      loadScript().then(
        (component) => isMounted && setDialog(() => component),
        () => isMounted && handleFailure(),
      );
      return () => {
        isMounted = false;
      };
    }, []);
    return Dialog && <Dialog {...props} />;
  };
}

async function reload(): Promise<void> {
  if (!(await reloadIfReachable())) toast.error(commonText.noConnection, { id: toastId });
}
