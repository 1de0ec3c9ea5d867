import { useRef, useState } from 'react'
import Download from 'lucide-react/icons/download'
import FileSpreadsheet from 'lucide-react/icons/file-spreadsheet'
import { BULK_ROWS_MOST, checkBulk, listBulk } from '#contract/bulk.ts'
import { newIdempotencyKey } from '#web/lib/client.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { saveFile } from '#web/lib/saveFile.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { TextArea } from '#web/ui/TextArea.tsx'
import { ReadAs, type Unsure } from './ReadAs.tsx'
import { guessEncoding, textOf } from './readFile.ts'
import { templateOf } from './template.ts'

const MOST_BYTES = 4_000_000

/** Where rows come from: a file, dropped or chosen, or cells pasted from a spreadsheet. Nothing is scheduled here. */
export function BulkStart({
  handle,
  onChecked,
}: {
  /** A channel for the template's rows. */ handle: string
  onChecked: (importId: string) => void
}) {
  const ids = useProjectIds()
  const zone = useProjectZone()
  const [pasted, setPasted] = useState('')
  const [over, setOver] = useState(false)
  const [trouble, setTrouble] = useState<string[]>([])
  const [unsure, setUnsure] = useState<Unsure>()
  const chooser = useRef<HTMLInputElement>(null)
  const check = useSend(checkBulk, {
    handles: ['BAD_INPUT', 'PAYLOAD_TOO_LARGE'],
    refreshes: [listBulk],
    onSuccess: ({ importId }) => onChecked(importId),
    onError: (failure) => setTrouble(failure.errors['source'] ?? [failure.detail ?? "We couldn't read these rows."]),
  })
  const send = (source: string, name: string) => {
    setTrouble([])
    check.mutate({ params: ids, body: { source, name }, idempotencyKey: newIdempotencyKey() })
  }
  const take = async (file: File | undefined) => {
    if (!file || check.isPending) return
    if (file.size > MOST_BYTES) return setTrouble([`${file.name} is larger than ${MOST_BYTES / 1_000_000} MB.`])
    if (/\.(xlsx?|ods|numbers)$/i.test(file.name))
      return setTrouble([`${file.name} is a spreadsheet. Save it as CSV, or copy and paste its rows here.`])
    const bytes = new Uint8Array(await file.arrayBuffer())
    const { encoding, sure } = guessEncoding(bytes)
    setTrouble([])
    setUnsure(undefined)
    const text = textOf(bytes, encoding)
    if (text.trim() === '') return setTrouble([`${file.name} is empty.`])
    if (sure) send(text, file.name)
    else setUnsure({ name: file.name, bytes, encoding })
  }
  const download = () => saveFile('bulk-schedule.csv', templateOf(handle, zone, new Date()), 'text/csv;charset=utf-8')
  return (
    <section aria-label="New rows" className="grid gap-3">
      {trouble.length > 0 ? (
        <Banner tone="bad" title="We couldn't read these rows" live onDismiss={() => setTrouble([])}>
          <ul className="grid gap-0.5">
            {trouble.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </Banner>
      ) : null}
      {unsure ? (
        <ReadAs
          file={unsure}
          loading={check.isPending}
          onChoose={(encoding) => setUnsure({ ...unsure, encoding })}
          onTake={() => send(textOf(unsure.bytes, unsure.encoding), unsure.name)}
          onCancel={() => setUnsure(undefined)}
        />
      ) : null}
      <div className="grid gap-3 md:grid-cols-2">
        {/* dropping is a second way: the button next to it does the same by keyboard */}
        <div
          data-over={over || undefined}
          className="grid content-center justify-items-center gap-2 rounded-lg border border-dashed border-line-strong bg-surface px-6 py-8 text-center data-over:border-accent data-over:bg-accent-soft"
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setOver(false)
            void take(event.dataTransfer.files[0])
          }}
        >
          <FileSpreadsheet size={22} aria-hidden className="text-ink-muted" />
          <p className="font-bold">Drop a CSV file here</p>
          <p className="max-w-80 text-balance text-ink-muted">
            One row is one post, {BULK_ROWS_MOST} rows maximum. You'll review every row and its errors before anything
            is scheduled.
          </p>
          <div className="mt-1 flex flex-wrap justify-center gap-2">
            <Button tone="primary" loading={check.isPending} onClick={() => chooser.current?.click()}>
              Choose a file
            </Button>
            <Button icon={<Download size={15} aria-hidden />} onClick={download}>
              Download template
            </Button>
          </div>
          <input
            ref={chooser}
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
            aria-label="CSV file"
            hidden
            onChange={(event) => {
              void take(event.target.files?.[0])
              // the same file can be chosen again after it was corrected
              event.target.value = ''
            }}
          />
        </div>
        <form
          className="grid content-start gap-2.5 rounded-lg border border-line bg-surface p-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (pasted.trim() !== '') send(pasted, '')
          }}
        >
          <Field
            label="Or paste rows from a spreadsheet"
            hint="With the template's header, or in its order: text, channel, date, time, time zone, media URLs, labels, campaign, first comment, title, post type."
          >
            <TextArea
              rows={5}
              value={pasted}
              wrap="off"
              spellCheck={false}
              className="max-h-72 font-mono text-sm"
              onChange={(event) => setPasted(event.target.value)}
            />
          </Field>
          <Button
            type="submit"
            className="justify-self-start"
            loading={check.isPending}
            disabled={pasted.trim() === ''}
          >
            Check rows
          </Button>
        </form>
      </div>
    </section>
  )
}
