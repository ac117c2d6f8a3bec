/** Marks a positioned element as pending, along its lower edge. */
export function ProgressStripe() {
  return <span className="progress-stripe absolute inset-x-0 bottom-0 h-[3px]" />;
}
