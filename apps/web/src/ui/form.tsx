import { type ComponentProps, createContext, use } from 'react';
import { useLocation, useSubmit } from 'react-router-dom';
import { useSingleFlight } from '../lib/use-single-flight.ts';

const Pending = createContext(false);

/** Returns true while the form that contains the component is being sent. */
export const useFormPending = (): boolean => use(Pending);

interface FormProps extends Omit<ComponentProps<'form'>, 'action' | 'method'> {
  /** Sends the form. By default, it is sent to the action of the route, with the state of the history entry. */
  send?: (form: HTMLFormElement) => Promise<unknown>;
}

/**
 * A form that changes data. While it is being sent, submitting it again is ignored, and its submit buttons are pending. If
 * `onSubmit` prevents the default, the form is not sent.
 */
export function Form({ send, onSubmit, children, ...rest }: FormProps) {
  const submit = useSubmit();
  const { state } = useLocation();
  const [run, pending] = useSingleFlight(send ?? ((form: HTMLFormElement) => submit(form, { state })));
  return (
    <form
      {...rest}
      // Before hydration, the browser sends the form itself. With GET, a password would be in the address.
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
