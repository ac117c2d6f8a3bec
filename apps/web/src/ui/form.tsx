import { type ComponentProps, createContext, use } from 'react';
import { useLocation, useSubmit } from 'react-router-dom';
import { useKeepDialogOpen } from '../lib/dialog-pending.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';

const Pending = createContext(false);

/** Returns true while the surrounding form is being sent. */
export const useFormPending = (): boolean => use(Pending);

interface FormProps extends Omit<ComponentProps<'form'>, 'action' | 'method'> {
  /**
   * Sends the form. By default, the router submits the form to the action of the current route, and keeps the state of
   * the history entry.
   */
  send?: (form: HTMLFormElement) => Promise<unknown>;
}

/**
 * A form that changes data. While the form is being sent, its submit buttons are pending, and a second submission is
 * ignored. To prevent a submission, call `preventDefault` in `onSubmit`.
 */
export function Form({ send, onSubmit, children, ...rest }: FormProps) {
  const submit = useSubmit();
  const { state } = useLocation();
  const [run, pending] = useSingleFlight(send ?? ((form: HTMLFormElement) => submit(form, { state })));
  useKeepDialogOpen(pending);
  return (
    <form
      {...rest}
      // Before hydration, the browser itself would send the form. With GET, the address would then contain all fields, even
      // a password.
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
