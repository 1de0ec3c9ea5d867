import { useMemo } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Select } from '#web/ui/Select.tsx'
import { encodings, textOf, type Encoding } from './readFile.ts'

/** How much of a file is shown: enough to see whether its letters are right. */
const [LINES, LETTERS] = [6, 1000]

export type Unsure = { name: string; bytes: Uint8Array; encoding: Encoding }

/** A file whose encoding was guessed: its beginning as it's read, which changes at once with another choice. */
export function ReadAs({
  file,
  loading,
  onChoose,
  onTake,
  onCancel,
}: {
  file: Unsure
  loading: boolean
  onChoose: (encoding: Encoding) => void
  onTake: () => void
  onCancel: () => void
}) {
  const { name, bytes, encoding } = file
  const start = useMemo(
    () =>
      textOf(bytes.subarray(0, LETTERS * 4), encoding)
        .slice(0, LETTERS)
        .split(/\r\n|\r|\n/)
        .slice(0, LINES)
        .join('\n'),
    [bytes, encoding],
  )
  const label = encodings.find(({ value }) => value === encoding)?.label ?? encoding
  return (
    <form
      aria-label={`How to read ${name}`}
      className="grid gap-3 rounded-lg border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault()
        onTake()
      }}
    >
      <div>
        <h2 dir="auto" className="truncate font-bold">
          {name}
        </h2>
        <p className="text-ink-muted">Read as {label}. Does it look right? If not, choose another encoding.</p>
      </div>
      <pre
        dir="auto"
        aria-label="Beginning of the file"
        className="rounded-md border border-line bg-sunken px-3 py-2 font-mono text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {start}
      </pre>
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Encoding" className="w-64">
          <Select
            value={encoding}
            options={encodings}
            onChange={(event) => {
              const chosen = encodings.find(({ value }) => value === event.target.value)
              if (chosen) onChoose(chosen.value)
            }}
          />
        </Field>
        <Button type="submit" tone="primary" loading={loading}>
          Check rows
        </Button>
        <Button tone="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
