import { Alert } from './alert.tsx';

const text = {
  form: 'This form needs JavaScript. Turn it on and reload the page.',
  page: 'This page needs JavaScript. Turn it on and reload the page.',
};

export function NeedsScript({ what }: { what: keyof typeof text }) {
  return (
    <noscript>
      <Alert kind="warn">{text[what]}</Alert>
    </noscript>
  );
}
