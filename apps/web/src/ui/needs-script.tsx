import { Alert } from './alert.tsx';

const text = {
  form: 'This form needs JavaScript. Turn it on and load the page again.',
  page: 'This page needs JavaScript. Turn it on and load the page again.',
};

/** Shown only where JavaScript is turned off. */
export function NeedsScript({ what }: { what: keyof typeof text }) {
  return (
    <noscript>
      <Alert kind="warn">{text[what]}</Alert>
    </noscript>
  );
}
