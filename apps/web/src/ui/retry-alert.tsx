import type { ReactNode } from 'react';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { commonText } from './texts.ts';

interface RetryAlertProps {
  /** The heading of the alert. If there are no `children`, the usual explanation of a failed request follows. */
  title?: string;
  /** The level of the heading: one below that of the heading above it. */
  level?: 2 | 3;
  pending: boolean;
  onRetry: () => void;
  children?: ReactNode;
}

/** An error message with a button that repeats the request. */
export function RetryAlert({ title, level = 2, pending, onRetry, children }: RetryAlertProps) {
  const Heading = `h${level}` as const;
  return (
    <Alert
      action={
        <Button tone="quiet" pending={pending} onClick={onRetry}>
          {commonText.tryAgain}
        </Button>
      }
    >
      {title && <Heading className="font-bold">{title}</Heading>}
      {children ?? <p>{commonText.connectionFailed}</p>}
    </Alert>
  );
}
