import type { ComponentProps, ReactNode } from 'react';
import { focusNeighborOnRemoval } from '../lib/focus.ts';

interface TableProps {
  /** The accessible name of the table. */
  label: string;
  columns: readonly string[];
  children: ReactNode;
}

// In a narrow container, the rows look like cards. Some browsers drop the ARIA roles of a table if its CSS `display` changes,
// so the roles are explicit.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label */

/** A table. If it is narrow, each row is a card that looks like a torn order ticket. */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="@container">
      <table role="table" aria-label={label} className="block w-full border-collapse as-table:table">
        <thead role="rowgroup" className="sr-only as-table:not-sr-only as-table:table-header-group">
          <tr role="row" className="text-left text-small text-muted as-table:border-b-2 as-table:border-ink">
            {columns.map((column) => (
              <th key={column} role="columnheader" scope="col" className="p-4 font-normal">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="grid gap-4 as-table:table-row-group">
          {children}
        </tbody>
      </table>
    </div>
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
  const ground = isHighlighted ? 'bg-tint' : 'bg-surface as-table:bg-transparent';
  const line = isSeparate
    ? 'as-cards:mb-4 as-table:border-b-4 as-table:border-ink'
    : 'as-table:border-b-2 as-table:border-dashed as-table:border-line';
  return (
    <tr
      ref={focusNeighborOnRemoval}
      role="row"
      className={`as-cards:torn flex flex-wrap ${isCompact ? 'pt-2' : 'pt-4'} pr-[min(--spacing(4),5vw)] as-table:table-row ${line} ${ground} ${className}`}
      {...rest}
    />
  );
}

export function Cell({ className = '', ...rest }: ComponentProps<'td'>) {
  return (
    <td role="cell" className={`block as-table:table-cell as-table:p-4 as-table:align-top ${className}`} {...rest} />
  );
}
