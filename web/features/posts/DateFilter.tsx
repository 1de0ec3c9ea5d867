import { dayText, type Day } from '#web/lib/dates.ts'
import { Button } from '#web/ui/Button.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Popover } from '#web/ui/Popover.tsx'

type Range = { from?: Day | undefined; to?: Day | undefined }

/** The first and the last day of what is listed; either may be open. */
export function DateFilter({ value: { from, to }, onChange }: { value: Range; onChange: (range: Range) => void }) {
  const words = from && to ? `${dayText(from)} to ${dayText(to)}` : from ? `From ${dayText(from)}` : to ? `Until ${dayText(to)}` : 'Dates'
  return (
    <Popover
      label="Filter by dates"
      className="w-68"
      trigger={
        <FilterChip on={Boolean(from ?? to)} opens>
          {words}
        </FilterChip>
      }
    >
      <div className="grid gap-3">
        <Field label="From" optional>
          <DatePicker label="From" value={from} {...(to ? { max: to } : {})} onChange={(day) => onChange({ from: day, to })} />
        </Field>
        <Field label="To" optional>
          <DatePicker label="To" value={to} {...(from ? { min: from } : {})} onChange={(day) => onChange({ from, to: day })} />
        </Field>
        {from || to ? (
          <Button size="s" tone="quiet" className="justify-self-start" onClick={() => onChange({ from: undefined, to: undefined })}>
            Any date
          </Button>
        ) : null}
      </div>
    </Popover>
  )
}
