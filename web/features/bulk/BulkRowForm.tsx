import { useEffect, useRef, useState } from 'react'
import { bulkColumnNames, type BulkCells, type BulkColumn, type BulkRow } from '#contract/bulk.ts'
import { Button } from '#web/ui/Button.tsx'
import { Combobox } from '#web/ui/Combobox.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { TextInput } from '#web/ui/TextInput.tsx'

const hints: Partial<Record<BulkColumn, string>> = {
  date: 'Such as 2026-12-01',
  time: 'Such as 09:30 or 9:30 AM',
  timezone: "Leave empty to use the channel's",
  media: 'Links starting with https://, one per line',
  postType: "Leave empty to use the channel's default",
}
const narrow = ['channel', 'date', 'time', 'timezone', 'postType', 'title', 'labels', 'campaign'] as const

type Props = {
  row: BulkRow
  handles: readonly string[]
  saving: boolean
  onSave: (cells: BulkCells) => void
  onCancel: () => void
}

/** A row's cells, edited in place. Errors are shown at each field. */
export function BulkRowForm({ row, handles, saving, onSave, onCancel }: Props) {
  const [cells, setCells] = useState(row.cells)
  const form = useRef<HTMLFormElement>(null)
  // to the first field with an error, or the text
  useEffect(
    () =>
      (
        form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? form.current?.querySelector('textarea')
      )?.focus(),
    [],
  )
  const put = (column: BulkColumn, value: string) => setCells((before) => ({ ...before, [column]: value }))
  // an error about a cell that has changed since no longer applies
  const error = (column: BulkColumn) =>
    cells[column] === row.cells[column]
      ? row.errors
          .filter((one) => one.column === column)
          .map(({ message }) => message)
          .join(' ') || undefined
      : undefined
  const about = (column: BulkColumn) => ({
    label: bulkColumnNames[column],
    error: error(column),
    optional: !['text', 'channel', 'date', 'time'].includes(column),
    ...(hints[column] !== undefined && { hint: hints[column] }),
  })
  return (
    // keys of its fields: Escape leaves the row as it was
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={form}
      aria-label={`Row ${row.row}`}
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        onSave(cells)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onCancel()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave(cells)
      }}
    >
      <h3 className="font-bold">Row {row.row}</h3>
      <Field {...about('text')}>
        <TextArea rows={3} value={cells.text} onChange={(event) => put('text', event.target.value)} />
      </Field>
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {narrow.map((column) => (
          <Field key={column} {...about(column)}>
            {column === 'channel' ? (
              <Combobox
                value={cells.channel}
                onChange={(value) => put('channel', value)}
                options={handles.map((handle) => ({ value: handle, name: handle, shown: handle }))}
                listLabel="Channels"
              />
            ) : (
              <TextInput value={cells[column]} onChange={(event) => put(column, event.target.value)} />
            )}
          </Field>
        ))}
      </div>
      <div className="grid items-start gap-3 md:grid-cols-2">
        <Field {...about('media')}>
          <TextArea rows={2} value={cells.media} onChange={(event) => put('media', event.target.value)} />
        </Field>
        <Field {...about('firstComment')}>
          <TextArea rows={2} value={cells.firstComment} onChange={(event) => put('firstComment', event.target.value)} />
        </Field>
      </div>
      <div className="flex gap-2">
        <Button type="submit" tone="primary" loading={saving}>
          Save row
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}
