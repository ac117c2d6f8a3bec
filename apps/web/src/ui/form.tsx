import { type ComponentProps, createContext, use } from 'react';
import { useLocation, useSubmit } from 'react-router-dom';
import { useSingleFlight } from '../lib/use-single-flight.ts';

const Pending = createContext(false);

/** True while the form that contains the component is being sent. */
export const useFormPending = (): boolean => use(Pending);

interface FormProps extends Omit<ComponentProps<'form'>, 'action' | 'method'> {
  /** Sends the form; by default to the action of the route, with the state of the history entry. */
  send?: (form: HTMLFormElement) => Promise<unknown>;
}

/**
 * Use it for every form that changes data. A second submit is ignored while the first is running, and submit buttons are
 * pending. If `onSubmit` prevents the default, the form is not sent.
 */
export function Form({ send, onSubmit, children, ...rest }: FormProps) {
  const submit = useSubmit();
  const { state } = useLocation();
  const [run, pending] = useSingleFlight(send ?? ((form: HTMLFormElement) => submit(form, { state })));
  return (
    <form
      {...rest}
      // Before hydration the browser submits the form itself. A GET request would put the password into the address.
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
