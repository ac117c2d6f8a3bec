import type { ComponentProps, ReactNode } from 'react';
import { focusNeighborOnRemoval } from '../lib/focus.ts';

interface TicketTableProps {
  /** What it lists, for those who hear it. */
  label: string;
  columns: readonly string[];
  children: ReactNode;
}

// Under 640 px the rows become order tickets. Their display takes the table's meaning away in some browsers, so its
// roles are said outright.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label */

/** A table whose rows, `Ticket`, are order tickets where it is narrow. */
export function TicketTable({ label, columns, children }: TicketTableProps) {
  return (
    <table role="table" aria-label={label} className="block w-full border-collapse sm:table">
      <thead role="rowgroup" className="sr-only sm:not-sr-only sm:table-header-group">
        <tr role="row" className="text-left text-small text-muted sm:border-b-2 sm:border-ink">
          {columns.map((column) => (
            <th key={column} role="columnheader" scope="col" className="p-4 font-normal">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-4 sm:table-row-group">
        {children}
      </tbody>
    </table>
  );
}

export function Ticket({ own = false, className = '', ...rest }: ComponentProps<'tr'> & { own?: boolean }) {
  const ground = own ? 'bg-tint' : 'bg-surface sm:bg-transparent';
  return (
    <tr
      ref={focusNeighborOnRemoval}
      role="row"
      className={`max-sm:torn flex flex-wrap pt-4 pr-4 sm:table-row sm:border-b-2 sm:border-dashed sm:border-line ${ground} ${className}`}
      {...rest}
    />
  );
}

export function TicketCell({ className = '', ...rest }: ComponentProps<'td'>) {
  return <td role="cell" className={`block sm:table-cell sm:p-4 sm:align-top ${className}`} {...rest} />;
}
