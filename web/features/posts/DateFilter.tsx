import { addDays, wallOf, type Day } from '#web/lib/dates.ts'
import { useNow } from '#web/lib/now.ts'
import { useProjectZone } from '#web/lib/project.ts'
import { FilterChip } from '#web/ui/Chip.tsx'
import { DayRange, type Days } from '#web/ui/DayRange.tsx'

/** The most common ranges, by today's date in the project's zone. */
const presets: readonly { name: string; of: (today: Day) => { from: Day; to: Day } }[] = [
  { name: 'Today', of: (today) => ({ from: today, to: today }) },
  { name: 'Next 7 days', of: (today) => ({ from: today, to: addDays(today, 6) }) },
  { name: 'Last 7 days', of: (today) => ({ from: addDays(today, -6), to: today }) },
  { name: 'Last 30 days', of: (today) => ({ from: addDays(today, -29), to: today }) },
]

/** The first and last day of the list; either may be open. */
export function DateFilter({ value, onChange }: { value: Days; onChange: (days: Days) => void }) {
  const today = wallOf(useNow(), useProjectZone()).day
  return (
    <DayRange value={value} onChange={onChange}>
      <div role="group" aria-label="Ranges" className="flex flex-wrap gap-1.5">
        {presets.map(({ name, of }) => {
          const range = of(today)
          const on = value.from === range.from && value.to === range.to
          return (
            <FilterChip key={name} on={on} onClick={() => onChange(on ? { from: undefined, to: undefined } : range)}>
              {name}
            </FilterChip>
          )
        })}
      </div>
    </DayRange>
  )
}
