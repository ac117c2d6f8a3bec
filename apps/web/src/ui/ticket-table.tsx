import type { ComponentProps, ReactNode } from 'react';

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

/** One row. Should it go while it has the focus, the focus goes on to its neighbour, or to the list’s heading. */
export function Ticket({ own = false, className = '', ...rest }: ComponentProps<'tr'> & { own?: boolean }) {
  const ground = own ? 'bg-tint' : 'bg-surface sm:bg-transparent';
  return (
    <tr
      ref={passOnFocus}
      role="row"
      className={`max-sm:torn flex flex-wrap pt-4 pr-4 sm:table-row sm:border-b-2 sm:border-dashed sm:border-line ${ground} ${className}`}
      {...rest}
    />
  );
}

/** Called when the row comes; what it gives is called when the row is about to go. */
function passOnFocus(row: HTMLTableRowElement) {
  return () => {
    if (!row.contains(document.activeElement)) return;
    const rows = [...(row.parentElement?.children ?? [])];
    const at = rows.indexOf(row);
    const neighbours = [...rows.slice(at + 1), ...rows.slice(0, at).toReversed()];
    const heading = row.closest('section, main')?.querySelector<HTMLElement>('h1, h2');
    queueMicrotask(() => {
      // What stands in its place may have the focus by now.
      if (document.activeElement !== document.body) return;
      const next = neighbours.find(({ isConnected }) => isConnected)?.querySelector<HTMLElement>('a, button');
      if (!next) heading?.setAttribute('tabindex', '-1');
      (next ?? heading)?.focus({ preventScroll: !next });
    });
  };
}

export function TicketCell({ className = '', ...rest }: ComponentProps<'td'>) {
  return <td role="cell" className={`block sm:table-cell sm:p-4 sm:align-top ${className}`} {...rest} />;
}
