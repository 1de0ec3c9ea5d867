// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- Safari drops a table's own roles when its display changes
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { pinnedClass, WideScroll } from './WideScroll.tsx'

export type Column<Row> = {
  /** Unique in the table. */
  key: string
  header: ReactNode
  /** For a header that is a control: its text over cards. */
  words?: string
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
  /** The cell that names its row; the first column by default. */
  names?: boolean
  /** For screen readers only, such as over the column of actions. */
  headerHidden?: boolean
  /** Left out of cards. */
  notInCards?: boolean
  /** In the top right corner of the row's card, such as its actions. */
  corner?: boolean
  /** In a card without its header's text, next to other such values: for self-explanatory ones. */
  bare?: boolean
  className?: string
}

type Props<Row> = {
  /** Names the table for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Has columns that need more room than most: becomes cards sooner. */
  wide?: boolean
  /** Columns at the end are figures: in a card, each is a line, its name on the left and its value on the right. */
  figures?: boolean
  /** A few short numbers, such as days: stays rows on a phone, closer together, and its rows are low. */
  slim?: boolean
  className?: string
}

/** What is between the columns of a slim table on a phone. */
const CLOSER = '@max-sm/slim-table:not-first:pl-1 @max-sm/slim-table:not-last:pr-1'

/**
 * Rows and columns; if the table itself is too narrow for them (the variants `cards` and `rows` of base.css), each row
 * becomes a card, with the header as a label at each value. Rows that are still too wide scroll sideways, past the cell that
 * names them. Roles are written out because `display: grid` removes the table's own.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  wide = false,
  slim = false,
  figures = false,
  className,
}: Props<Row>) {
  const nameKey = columns.find((column) => column.names)?.key ?? columns[0]?.key
  const isPinned = nameKey === columns[0]?.key
  const cornered = columns.some((column) => column.corner)
  return (
    <WideScroll
      label={label}
      isPinned={isPinned}
      className={clsx(slim ? '@container/slim-table' : wide ? '@container/wide-table' : '@container/table', className)}
    >
      <table role="table" aria-label={label} className="w-full border-collapse cards:block">
        <thead role="rowgroup" className="cards:sr-only">
          <tr role="row" className="border-b border-line bg-sunken">
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                className={clsx(
                  'h-8 px-3 py-1 text-xs font-bold whitespace-nowrap text-ink-muted',
                  slim ? CLOSER : '',
                  column.align === 'end' ? 'text-right' : 'text-left',
                  isPinned && column.key === nameKey ? clsx(pinnedClass, 'bg-sunken') : '',
                )}
              >
                {/* over cards, the header is for screen readers only: a control there would get the focus invisibly */}
                <span className={column.headerHidden ? 'sr-only' : column.words === undefined ? '' : 'cards:hidden'}>
                  {column.header}
                </span>
                {column.words === undefined ? null : <span className="rows:hidden">{column.words}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="cards:block">
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              role="row"
              className={clsx(
                'border-line not-last:border-b hover:bg-hover cards:relative cards:flex cards:flex-wrap cards:gap-x-3 cards:gap-y-1.5 cards:p-3',
                figures ? 'cards:items-baseline' : 'cards:items-center',
              )}
            >
              {columns.map((column) => {
                const content = column.cell(row)
                const Cell = column.key === nameKey ? 'th' : 'td'
                return (
                  <Cell
                    key={column.key}
                    role={Cell === 'th' ? 'rowheader' : 'cell'}
                    {...(Cell === 'th' ? { scope: 'row' } : {})}
                    className={clsx(
                      slim ? `h-8 ${CLOSER}` : 'h-11',
                      'px-3 py-1.5 text-left font-normal cards:flex cards:h-auto cards:items-center cards:gap-3 cards:p-0 card-pairs:gap-2',
                      column.align === 'end' ? 'rows:text-right' : '',
                      figures && column.align === 'end' ? 'cards:items-baseline!' : '',
                      isPinned && Cell === 'th' ? clsx(pinnedClass, 'group-data-wide/wide:bg-surface') : '',
                      column.notInCards || (figures && content === null) ? 'cards:hidden' : '',
                      column.corner
                        ? 'cards:absolute cards:top-1.5 cards:right-1.5'
                        : column.bare
                          ? 'cards:min-w-0'
                          : Cell === 'th'
                            ? 'cards:w-full'
                            : 'cards:w-full card-pairs:w-[calc(50%-0.375rem)]',
                      // text doesn't run under what is in the corner
                      cornered && column.key === nameKey ? 'cards:pr-10!' : '',
                      column.className,
                    )}
                  >
                    {column.corner || column.bare || Cell === 'th' ? null : (
                      <span
                        aria-hidden
                        className={clsx(
                          'text-sm text-ink-muted rows:hidden',
                          // however long the value is, the label never breaks inside words
                          figures && column.align === 'end' ? 'min-w-24 flex-1' : 'w-28 shrink-0 card-pairs:w-24',
                        )}
                      >
                        {column.header}
                      </span>
                    )}
                    <span className="contents">{content}</span>
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </WideScroll>
  )
}
