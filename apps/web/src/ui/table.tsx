import type { ComponentProps, ReactNode } from 'react';
import { focusNeighborOnRemoval } from '../lib/focus.ts';

interface TableProps {
  /** The accessible name of the table. */
  label: string;
  columns: readonly string[];
  children: ReactNode;
}

// In a window that is narrower than 640 px, the rows look like cards. Some browsers drop the ARIA roles of a table if its
// CSS `display` changes, so the roles are explicit.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label */

/** A table. On a narrow screen, each row is a card that looks like a torn order ticket. */
export function Table({ label, columns, children }: TableProps) {
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

interface RowProps extends ComponentProps<'tr'> {
  isHighlighted?: boolean;
  /**
   * Whether the row is clearly separated from the next row: by additional space between cards, or by a thick line in a wide
   * window.
   */
  isSeparate?: boolean;
  /** Whether the row has only one line. */
  isCompact?: boolean;
}

export function Row({
  isHighlighted = false,
  isSeparate = false,
  isCompact = false,
  className = '',
  ...rest
}: RowProps) {
  const ground = isHighlighted ? 'bg-tint' : 'bg-surface sm:bg-transparent';
  const line = isSeparate ? 'max-sm:mb-4 sm:border-b-4 sm:border-ink' : 'sm:border-b-2 sm:border-dashed sm:border-line';
  return (
    <tr
      ref={focusNeighborOnRemoval}
      role="row"
      className={`max-sm:torn flex flex-wrap ${isCompact ? 'pt-2' : 'pt-4'} pr-4 sm:table-row ${line} ${ground} ${className}`}
      {...rest}
    />
  );
}

export function Cell({ className = '', ...rest }: ComponentProps<'td'>) {
  return <td role="cell" className={`block sm:table-cell sm:p-4 sm:align-top ${className}`} {...rest} />;
}
