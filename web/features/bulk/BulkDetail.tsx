import { useState } from 'react'
import Undo from 'lucide-react/icons/undo-2'
import {
  changeBulkRows,
  confirmBulk,
  getBulk,
  listBulk,
  removeBulk,
  undoBulk,
  type BulkImportDetail,
  type BulkRow,
} from '#contract/bulk.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { refresh, useSend } from '#web/lib/queries.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { Progress } from '#web/ui/Progress.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Select } from '#web/ui/Select.tsx'
import { toast } from '#web/ui/toast.ts'
import { AmbiguousDates } from './AmbiguousDates.tsx'
import { BulkRows } from './BulkRows.tsx'
import { MissingChannels, type BulkChannel } from './MissingChannels.tsx'
import { rowsInWords, summaryOf } from './messages.ts'

type Props = {
  found: BulkImportDetail
  /** The channels that rows may name. */
  channels: readonly BulkChannel[]
  workflows: readonly { workflowId: string; name: string }[]
  onGone: () => void
}

const isWrong = ({ state, errors, postIds }: BulkRow) =>
  (state === 'open' && errors.length > 0) || state === 'failed' || (state === 'undone' && postIds.length > 0)

/** One import: its rows with their errors, and the one button that schedules those without any. */
export function BulkDetail({ found, channels, workflows, onGone }: Props) {
  const { importId, version, rows, ready, wrong, counts, state, refusal, unknownColumns } = found
  const params = { ...useProjectIds(), importId }
  const queries = useQueryClient()
  const [shown, setShown] = useState<'all' | 'wrong'>('all')
  const mayPublish = useMay([['post', 'publish']]) === 'yes'
  const [chosen, setChosen] = useState('')
  const workflowId = chosen || (mayPublish ? '' : (workflows[0]?.workflowId ?? ''))
  const [confirmed, setConfirmed] = useState(0)
  const [leaving, setLeaving] = useState(false)

  // someone else's change, or a different check result: the rows are reloaded and a message says why
  const again = { onError: () => refresh(queries, getBulk) } as const
  const undo = useSend(undoBulk, {
    ...again,
    onSuccess: ({ message }) => {
      // its own way back has been taken
      toast.dismiss(`bulk-${importId}`)
      toast.success(message)
    },
  })
  const confirm = useSend(confirmBulk, {
    ...again,
    onSuccess: ({ message }) => toast.undo(message, () => undo.mutate({ params }), { id: `bulk-${importId}` }),
  })
  const change = useSend(changeBulkRows, again)
  const remove = useSend(removeBulk, {
    refreshes: [listBulk],
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Import removed')
      onGone()
    },
  })

  const working = state === 'scheduling' || state === 'undoing'
  const left = counts.waiting + counts.undoing
  const whole = Math.max(confirmed, left)
  const shownRows = shown === 'all' ? rows : rows.filter(isWrong)
  const wrongRows = rows.filter(isWrong).length
  const schedule = () => {
    setConfirmed(ready)
    confirm.mutate({ params, body: { version, rows: ready, ...(workflowId !== '' && { workflowId }) } })
  }
  const takeBack = () => {
    setConfirmed(counts.made)
    undo.mutate({ params })
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <div className="min-w-0">
          <h2 dir="auto" className="truncate text-lg font-bold">
            {found.name}
          </h2>
          <p className="tnum text-ink-muted">{summaryOf(counts, { ready, wrong })}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {working ? null : (
            <Button tone="quiet" onClick={() => setLeaving(true)}>
              {counts.made > 0 ? 'Remove from the list' : 'Discard'}
            </Button>
          )}
          {counts.made + counts.waiting > 0 && state !== 'undoing' ? (
            <Button icon={<Undo size={15} aria-hidden />} loading={undo.isPending} onClick={takeBack}>
              {counts.made > 0 ? 'Undo schedule' : 'Stop'}
            </Button>
          ) : null}
          {workflows.length > 0 && ready > 0 && !working ? (
            <Select
              aria-label="How to publish rows"
              className="w-56"
              value={workflowId}
              onChange={(event) => setChosen(event.target.value)}
              options={[
                ...(mayPublish ? [{ value: '', label: 'Without approval' }] : []),
                ...workflows.map((one) => ({ value: one.workflowId, label: `Approval: ${one.name}` })),
              ]}
            />
          ) : null}
          {ready > 0 && !working ? (
            <Button
              tone="primary"
              loading={confirm.isPending}
              disabled={refusal !== null || (!mayPublish && workflowId === '')}
              onClick={schedule}
            >
              {workflowId === '' ? `Schedule ${rowsInWords(ready)}` : `Send ${rowsInWords(ready)} for approval`}
            </Button>
          ) : null}
        </div>
      </div>

      {working ? (
        <Progress
          label={state === 'scheduling' ? 'Scheduling' : 'Undoing'}
          value={whole - left}
          max={whole}
          note={`${(whole - left).toLocaleString('en')} of ${rowsInWords(whole)}`}
        />
      ) : null}
      {refusal ? (
        <Banner tone="bad" title={refusal.message}>
          {refusal.channels.length > 0 ? `${refusal.channels.join(', ')}. Skip rows until they fit.` : null}
        </Banner>
      ) : null}
      {!mayPublish && workflows.length === 0 && ready > 0 ? (
        <Banner tone="wait" title="Your role doesn't allow publishing">
          There's no workflow to send these rows for approval. Ask a project admin.
        </Banner>
      ) : null}
      {working ? null : (
        <MissingChannels
          rows={rows}
          channels={channels}
          loading={change.isPending}
          onUse={(lacking, channel) =>
            change.mutate({
              params,
              body: { version, rows: lacking.map(({ row }) => ({ row, cells: { channel }, skip: false })) },
            })
          }
        />
      )}
      {working ? null : (
        <AmbiguousDates
          rows={rows}
          loading={change.isPending}
          onUse={(dates) =>
            change.mutate({
              params,
              body: { version, rows: dates.map(({ row, date }) => ({ row, cells: { date }, skip: false })) },
            })
          }
        />
      )}
      {unknownColumns.length > 0 ? (
        <Banner tone="info" title="Some columns were ignored">
          {unknownColumns.join(', ')}. We don't recognize them.
        </Banner>
      ) : null}
      {wrong > 0 && ready > 0 && !working ? (
        <Banner tone="wait" title={`${rowsInWords(wrong)} with errors won't be scheduled`}>
          Fix them here, or schedule the other rows now. Rows with errors stay in the import.
        </Banner>
      ) : null}

      {wrongRows > 0 ? (
        <Segmented
          label="Show rows"
          className="justify-self-start"
          value={shown}
          onChange={setShown}
          options={[
            { value: 'all', label: `All ${rows.length.toLocaleString('en')}` },
            { value: 'wrong', label: `With errors ${wrongRows.toLocaleString('en')}` },
          ]}
        />
      ) : null}
      <BulkRows
        rows={wrongRows === 0 ? rows : shownRows}
        handles={channels.map(({ handle }) => handle)}
        mayChange={!working}
        saving={change.isPending}
        onChange={async (row, { cells, skip = false }) =>
          await change.mutateAsync({ params, body: { version, rows: [{ row, skip, ...(cells && { cells }) }] } })
        }
      />
      <ConfirmDialog
        open={leaving}
        onOpenChange={setLeaving}
        title={counts.made > 0 ? 'Remove this import from the list?' : 'Discard these rows?'}
        action={counts.made > 0 ? 'Remove' : 'Discard'}
        loading={remove.isPending}
        onConfirm={() => remove.mutate({ params })}
      >
        {counts.made > 0
          ? "Its posts aren't deleted, but you can't undo them together anymore."
          : 'None of them were scheduled. Your changes here will be lost.'}
      </ConfirmDialog>
    </div>
  )
}
