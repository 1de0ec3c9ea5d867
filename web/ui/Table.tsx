// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- Safari drops a table's own roles when its display changes
import { clsx } from 'clsx'
import type { ReactNode } from 'react'

export type Column<Row> = {
  /** Unique in the table. */
  key: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
  /** The cell that names its row; the first column unless another says so. */
  names?: boolean
  /** For screen readers only, as over the column of actions. */
  headerHidden?: boolean
  /** Left out where there is room for one column only. */
  hideOnPhone?: boolean
  /** On a phone at the top right corner of the row's card, as its actions are. */
  corner?: boolean
  /** On a phone without its header's words, beside other such values: for what explains itself. */
  bare?: boolean
  className?: string
}

type Props<Row> = {
  /** Names the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  className?: string
}

/**
 * Rows and columns; on a phone each row becomes a card, the header a label at each value. Roles are written out because
 * `display: grid` takes the table's own away.
 */
export function Table<Row>({ label, columns, rows, rowKey, className }: Props<Row>) {
  const nameKey = columns.find((column) => column.names)?.key ?? columns[0]?.key
  const cornered = columns.some((column) => column.corner)
  return (
    <div className={clsx('min-w-0 overflow-x-auto rounded-lg border border-line bg-surface', className)}>
      <table role="table" aria-label={label} className="w-full border-collapse max-md:block">
        <thead role="rowgroup" className="max-md:sr-only">
          <tr role="row" className="border-b border-line bg-sunken">
            {columns.map((column) => (
              <th key={column.key} role="columnheader" scope="col" className={clsx('h-8 px-3 text-xs font-bold whitespace-nowrap text-ink-muted', column.align === 'end' ? 'text-right' : 'text-left')}>
                <span className={column.headerHidden ? 'sr-only' : ''}>{column.header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-md:block">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row" className="border-line not-last:border-b hover:bg-hover max-md:relative max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-3 max-md:gap-y-1.5 max-md:p-3">
              {columns.map((column) => {
                const Cell = column.key === nameKey ? 'th' : 'td'
                return (
                  <Cell
                    key={column.key}
                    role={Cell === 'th' ? 'rowheader' : 'cell'}
                    {...(Cell === 'th' ? { scope: 'row' } : {})}
                    className={clsx(
                      'h-11 px-3 py-1.5 text-left font-normal max-md:flex max-md:h-auto max-md:items-center max-md:gap-3 max-md:p-0',
                      column.align === 'end' ? 'md:text-right' : '',
                      column.hideOnPhone ? 'max-md:hidden' : '',
                      column.corner ? 'max-md:absolute max-md:top-1.5 max-md:right-1.5' : column.bare ? 'max-md:min-w-0' : 'max-md:w-full',
                      // words do not run under what sits at the corner
                      cornered && column.key === nameKey ? 'max-md:pr-10!' : '',
                      column.className,
                    )}
                  >
                    {column.corner || column.bare || Cell === 'th' ? null : (
                      <span aria-hidden className="w-28 shrink-0 text-sm text-ink-muted md:hidden">
                        {column.header}
                      </span>
                    )}
                    <span className="contents">{column.cell(row)}</span>
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
