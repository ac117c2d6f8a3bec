import { type ComponentProps, createContext, use } from 'react';
import { useLocation, useSubmit } from 'react-router-dom';
import { useSingleFlight } from '../lib/use-single-flight.ts';

const Pending = createContext(false);

/** True while the form around the component is being sent. */
export const useFormPending = (): boolean => use(Pending);

interface FormProps extends Omit<ComponentProps<'form'>, 'action' | 'method'> {
  /** Sends the form; by default to the action of the page's route, which keeps what its history entry remembers. */
  send?: (form: HTMLFormElement) => Promise<unknown>;
}

/**
 * Every form that changes something. It is sent once at a time, however it is submitted; its submit buttons are pending
 * meanwhile. An `onSubmit` that prevents the default keeps it from being sent.
 */
export function Form({ send, onSubmit, children, ...rest }: FormProps) {
  const submit = useSubmit();
  const { state } = useLocation();
  const [run, pending] = useSingleFlight(send ?? ((form: HTMLFormElement) => submit(form, { state })));
  return (
    <form
      {...rest}
      // Without it a browser whose script has not run yet would put a password into the address.
      method="post"
      onSubmit={(event) => {
        onSubmit?.(event);
        if (event.defaultPrevented) return;
        event.preventDefault();
        void run(event.currentTarget);
      }}
    >
      <Pending value={pending}>{children}</Pending>
    </form>
  );
}
