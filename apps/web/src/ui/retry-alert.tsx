import type { ReactNode } from 'react';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { commonText } from './texts.ts';

interface RetryAlertProps {
  title?: string;
  /** The level of the alert's heading. Under an h2, the level must be 3. Under an h1, it must be 2. */
  level?: 2 | 3;
  pending: boolean;
  onRetry: () => void;
  /** The text of the alert. By default, it is a standard text about a failed request. */
  children?: ReactNode;
}

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
