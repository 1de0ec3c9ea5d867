import { Link } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-alert'
import Pencil from 'lucide-react/icons/pencil'
import Rows from 'lucide-react/icons/rows-3'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { bulkColumnNames, type BulkCells, type BulkColumn, type BulkRemark, type BulkRow } from '#contract/bulk.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { dayAndTimeOf, offsetOf } from '#web/lib/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { BulkRowForm } from './BulkRowForm.tsx'
import { lookOfRow } from './messages.ts'

type Props = {
  rows: readonly BulkRow[]
  handles: readonly string[]
  /** The job is idle and the person can change them. */
  mayChange: boolean
  saving: boolean
  /** Resolves when it is saved. */
  onChange: (row: number, change: { cells?: Partial<BulkCells>; skip?: boolean }) => Promise<unknown>
}

const grid = 'rows:grid-cols-[3rem_minmax(0,1fr)_minmax(8rem,11rem)_minmax(9rem,12rem)_minmax(0,11rem)_7.5rem_4.5rem]'

/** Rows as they would become posts, each error at its cell. One row can be edited at a time. */
export function BulkRows({ rows, handles, mayChange, saving, onChange }: Props) {
  const [open, setOpen] = useState<number>()
  const list = useRef<HTMLDivElement>(null)
  const last = useRef<number>(undefined)
  // the focus returns to the row that was open
  useEffect(() => {
    if (open === undefined && last.current !== undefined)
      list.current?.querySelector<HTMLElement>(`[data-row="${last.current}"]`)?.focus()
    last.current = open
  }, [open])
  if (rows.length === 0)
    return (
      <EmptyState icon={<Rows size={20} />} title="No rows here">
        Choose another filter above.
      </EmptyState>
    )
  return (
    <div
      ref={list}
      role="table"
      aria-label="Rows"
      className="@container/wide-table min-w-0 rounded-lg border border-line bg-surface"
    >
      <div role="rowgroup" className="cards:sr-only">
        <div
          role="row"
          className={`grid h-8 items-center gap-3 rounded-t-lg border-b border-line bg-sunken px-3 text-xs font-bold text-ink-muted ${grid}`}
        >
          {['Row', 'Text', 'Channel', 'When', 'Files, labels', 'Status'].map((name) => (
            <span key={name} role="columnheader">
              {name}
            </span>
          ))}
          <span role="columnheader" className="sr-only">
            Actions
          </span>
        </div>
      </div>
      <div role="rowgroup">
        {rows.map((row) => (
          <div
            key={row.row}
            role="row"
            tabIndex={-1}
            data-row={row.row}
            aria-label={`Row ${row.row}`}
            className="border-line not-last:border-b"
            style={{ contentVisibility: 'auto', containIntrinsicSize: 'auto 64px' }}
          >
            {open === row.row ? (
              <div role="cell" className="p-3">
                <BulkRowForm
                  row={row}
                  handles={handles}
                  saving={saving}
                  onCancel={() => setOpen(undefined)}
                  onSave={(cells) =>
                    void onChange(row.row, { cells }).then(
                      () => setOpen(undefined),
                      () => undefined,
                    )
                  }
                />
              </div>
            ) : (
              <Line
                row={row}
                mayChange={mayChange}
                saving={saving}
                onOpen={() => setOpen(row.row)}
                onSkip={(skip) => void onChange(row.row, { skip }).catch(() => undefined)}
              />
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

function Line({
  row,
  mayChange,
  saving,
  onOpen,
  onSkip,
}: {
  row: BulkRow
  mayChange: boolean
  saving: boolean
  onOpen: () => void
  onSkip: (skip: boolean) => void
}) {
  const { cells, state, postIds } = row
  const look = lookOfRow(row)
  const isFree = mayChange && state !== 'made' && postIds.length === 0
  const quiet = state === 'skipped' || state === 'undone' ? 'text-ink-muted' : ''
  const extras = [
    cells.media && `${cells.media.split(/\s+/).length} ${cells.media.split(/\s+/).length === 1 ? 'file' : 'files'}`,
    cells.labels,
    cells.campaign,
    cells.firstComment && 'First comment',
    cells.postType,
  ].filter(Boolean)
  return (
    <div
      role="presentation"
      className={`grid items-start gap-x-3 gap-y-1.5 px-3 py-2.5 cards:grid-cols-[minmax(0,1fr)_auto] ${grid}`}
    >
      <span role="rowheader" className="tnum text-ink-muted">
        <span className="rows:sr-only">Row </span>
        {row.row}
      </span>
      <Cell row={row} columns={['text', 'title', 'firstComment', null]} className={quiet}>
        {cells.title ? (
          <b dir="auto" className="block truncate">
            {cells.title}
          </b>
        ) : null}
        <span dir="auto" className="line-clamp-2 wrap-anywhere whitespace-pre-line">
          {cells.text || <span className="text-ink-muted">No text</span>}
        </span>
      </Cell>
      <Cell row={row} columns={['channel', 'postType']} className={quiet}>
        {row.channels.length > 0 ? (
          row.channels.map(({ channelId, handle, platformName }) => (
            <span key={channelId} className="flex min-w-0 items-center gap-1.5">
              <PlatformIcon platform={PlatformKey.parse(platformName)} size={16} />
              <span dir="auto" className="truncate">
                {handle}
              </span>
            </span>
          ))
        ) : (
          <span dir="auto" className="wrap-anywhere">
            {cells.channel || <span className="text-ink-muted">None</span>}
          </span>
        )}
      </Cell>
      <Cell row={row} columns={['date', 'time', 'timezone']} className={`tnum ${quiet}`}>
        {row.dueAt && row.timezone ? (
          <>
            <span className="block">{dayAndTimeOf(row.dueAt, row.timezone)}</span>
            <span className="block text-sm text-ink-muted">
              {row.timezone}, {offsetOf(row.dueAt, row.timezone)}
            </span>
          </>
        ) : (
          [cells.date, cells.time, cells.timezone].filter(Boolean).join(' ') || (
            <span className="text-ink-muted">No time</span>
          )
        )}
      </Cell>
      <Cell
        row={row}
        columns={['media', 'labels', 'campaign']}
        className={extras.length === 0 ? `cards:hidden ${quiet}` : quiet}
      >
        {extras.length > 0 ? (
          <span dir="auto" className="line-clamp-2 text-ink-muted">
            {extras.join(', ')}
          </span>
        ) : (
          <span className="sr-only">Nothing</span>
        )}
      </Cell>
      <span role="cell" className="cards:col-start-2 cards:row-start-1">
        {state === 'made' && postIds[0] !== undefined ? (
          <Link
            to="."
            search={(before) => ({ ...before, post: postIds[0] })}
            className="rounded-full hover:underline"
            aria-label={`Open the scheduled post of row ${row.row}`}
          >
            <Badge tone={look.tone}>{look.word}</Badge>
          </Link>
        ) : (
          <Badge tone={look.tone}>{look.word}</Badge>
        )}
      </span>
      <span role="cell" className="flex items-center justify-end gap-1 cards:col-span-2">
        {isFree && state === 'open' ? (
          <IconButton label={`Edit row ${row.row}`} size="s" icon={<Pencil size={14} />} onClick={onOpen} />
        ) : null}
        {isFree ? (
          <Button
            size="s"
            tone="quiet"
            aria-disabled={saving}
            onClick={() => (saving ? undefined : onSkip(state === 'open'))}
            aria-label={`${taking[state]} row ${row.row}`}
          >
            {taking[state]}
          </Button>
        ) : null}
      </span>
    </div>
  )
}

const taking: Record<BulkRow['state'], string> = {
  open: 'Skip',
  failed: 'Retry',
  skipped: 'Use',
  undone: 'Use',
  waiting: '',
  made: '',
  undoing: '',
}

/** A cell with the messages about its columns. */
function Cell({
  row,
  columns,
  className = '',
  children,
}: {
  row: BulkRow
  columns: readonly (BulkColumn | null)[]
  className?: string
  children: ReactNode
}) {
  const about = (remarks: readonly BulkRemark[]) => remarks.filter(({ column }) => columns.includes(column))
  const [errors, warnings] = [about(row.errors), about(row.warnings)]
  return (
    <div
      role="cell"
      className={`min-w-0 cards:col-span-2 ${errors.length + warnings.length > 0 ? className.replace('cards:hidden', '') : className}`}
    >
      {children}
      {errors.map((one) => (
        <Remark
          key={one.message}
          icon={<CircleAlert size={13} aria-hidden className="mt-0.5 shrink-0" />}
          className="text-bad"
          {...one}
        />
      ))}
      {warnings.map((one) => (
        <Remark
          key={one.message}
          icon={<TriangleAlert size={13} aria-hidden className="mt-0.5 shrink-0" />}
          className="text-wait"
          {...one}
        />
      ))}
    </div>
  )
}

function Remark({ icon, className, column, message }: BulkRemark & { icon: ReactNode; className: string }) {
  return (
    <span dir="auto" className={`mt-1 flex gap-1.5 text-sm wrap-anywhere ${className}`}>
      {icon}
      <span>
        {column ? <span className="sr-only">{bulkColumnNames[column]}: </span> : null}
        {message}
      </span>
    </span>
  )
}
