/** A moving stripe along the lower edge of a positioned element, which shows that a request is pending. */
export function ProgressStripe() {
  return <span className="progress-stripe absolute inset-x-0 bottom-0 h-[3px]" />;
}
