import { addDays, dayText, wallOf, type Day } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { Button } from '#web/ui/Button.tsx'
import { FilterChip } from '#web/ui/Chip.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { Field } from '#web/ui/Field.tsx'
import { Popover } from '#web/ui/Popover.tsx'

type Range = { from?: Day | undefined; to?: Day | undefined }

/** Ranges that are asked for most, by today's date in the project's zone. */
const presets: readonly { name: string; of: (today: Day) => { from: Day; to: Day } }[] = [
  { name: 'Today', of: (today) => ({ from: today, to: today }) },
  { name: 'Next 7 days', of: (today) => ({ from: today, to: addDays(today, 6) }) },
  { name: 'Last 7 days', of: (today) => ({ from: addDays(today, -6), to: today }) },
  { name: 'Last 30 days', of: (today) => ({ from: addDays(today, -29), to: today }) },
]

/** The first and the last day of what is listed; either may be open. */
export function DateFilter({ value: { from, to }, onChange }: { value: Range; onChange: (range: Range) => void }) {
  const today = wallOf(useNow(), useProjectZone()).day
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
        <div role="group" aria-label="Ranges" className="flex flex-wrap gap-1.5">
          {presets.map(({ name, of }) => {
            const range = of(today)
            const on = from === range.from && to === range.to
            return (
              <FilterChip key={name} on={on} onClick={() => onChange(on ? { from: undefined, to: undefined } : range)}>
                {name}
              </FilterChip>
            )
          })}
        </div>
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
