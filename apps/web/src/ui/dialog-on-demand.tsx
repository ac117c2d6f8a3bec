import { type ComponentType, useEffect, useEffectEvent, useState } from 'react';
import { onDemand } from '../lib/on-demand.ts';
import { toast } from './toasts.tsx';

const text = { failed: 'The dialog did not load. Check your network, then try again or reload the page.' };

/**
 * Returns a dialog whose script loads when the dialog opens. If the script does not load, a toast says so and the dialog
 * closes, so that the page stays readable and the customer can try again. With React.lazy, the error page would replace the
 * page.
 */
export function dialogOnDemand<Props extends { onClose: () => void }>(load: () => Promise<ComponentType<Props>>) {
  const loadScript = onDemand(load);
  return function DialogOnDemand(props: Props) {
    const [Dialog, setDialog] = useState<ComponentType<Props>>();
    const handleFailure = useEffectEvent(() => {
      toast.error(text.failed);
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
