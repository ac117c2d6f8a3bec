/** A moving stripe that shows that a request is pending. It is at the lower edge of the nearest positioned ancestor. */
export function ProgressStripe() {
  return <span className="progress-stripe absolute inset-x-0 bottom-0 h-[3px]" />;
}
