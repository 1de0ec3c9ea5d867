import type { ReactNode } from 'react'
import { dayText, type Day } from '#web/lib/dates.ts'
import { Button } from './Button.tsx'
import { FilterChip } from './Chip.tsx'
import { DatePicker } from './DatePicker.tsx'
import { Field } from './Field.tsx'
import { Popover } from './Popover.tsx'

/** Both ends are included; either may be open. */
export type Days = { from?: Day | undefined; to?: Day | undefined }

type Props = {
  value: Days
  /** Both days, including the unchanged one. */
  onChange: (days: Days) => void
  /** Preset ranges, above the two days. */
  children?: ReactNode
}

/** A filter chip with the first and last day of the list. */
export function DayRange({ value: { from, to }, onChange, children }: Props) {
  const words =
    from && to
      ? `${dayText(from)} to ${dayText(to)}`
      : from
        ? `From ${dayText(from)}`
        : to
          ? `Until ${dayText(to)}`
          : 'Dates'
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
        {children}
        <Field label="From" optional>
          <DatePicker
            label="From"
            value={from}
            {...(to ? { max: to } : {})}
            onChange={(day) => onChange({ from: day, to })}
          />
        </Field>
        <Field label="To" optional>
          <DatePicker
            label="To"
            value={to}
            {...(from ? { min: from } : {})}
            onChange={(day) => onChange({ from, to: day })}
          />
        </Field>
        {from || to ? (
          <Button
            size="s"
            tone="quiet"
            className="justify-self-start"
            onClick={() => onChange({ from: undefined, to: undefined })}
          >
            Any date
          </Button>
        ) : null}
      </div>
    </Popover>
  )
}
