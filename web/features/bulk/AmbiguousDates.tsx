import { useState } from 'react'
import type { BulkRow } from '#contract/bulk.ts'
import { inOrder, isAmbiguous, orderOf, slashDate, type DateOrder } from '#contract/bulkDates.ts'
import { count } from '#web/lib/format.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'

const ambiguous = (rows: readonly BulkRow[]): BulkRow[] =>
  rows.filter(({ state, cells }) => {
    const found = state === 'open' ? slashDate(cells.date) : undefined
    return found !== undefined && isAmbiguous(found)
  })

/**
 * One order for all dates that mean two different days to two readers. What the file's other dates show is only
 * suggested: a person decides.
 */
export function AmbiguousDates({
  rows,
  loading,
  onUse,
}: {
  rows: readonly BulkRow[]
  loading: boolean
  onUse: (dates: readonly { row: number; date: string }[]) => void
}) {
  const [chosen, setChosen] = useState<DateOrder>()
  const unclear = ambiguous(rows)
  const [first] = unclear
  if (!first) return null
  const shown = orderOf(rows.map(({ cells }) => cells.date))
  const order = chosen ?? shown ?? 'day'
  const example = first.cells.date
  return (
    <Banner tone="info" title={`${count(unclear.length, 'date')} can be read two ways`}>
      <p>
        {example} would be {inOrder(example, order)}.
        {shown && shown === order ? ' Other dates in this file are written that way.' : null}
      </p>
      <div className="mt-1.5 flex flex-wrap items-center gap-2">
        <Segmented
          label="Order of ambiguous dates"
          value={order}
          onChange={setChosen}
          options={[
            { value: 'day', label: 'Day first' },
            { value: 'month', label: 'Month first' },
          ]}
        />
        <Button
          loading={loading}
          onClick={() => onUse(unclear.map(({ row, cells }) => ({ row, date: inOrder(cells.date, order) })))}
        >
          Use for these dates
        </Button>
      </div>
    </Banner>
  )
}
