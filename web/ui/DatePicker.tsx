import { clsx } from 'clsx'
import CalendarDays from 'lucide-react/icons/calendar-days'
import { lazy, Suspense, useState } from 'react'
import { dayText, localZone, shortWeekday, wallOf, type Day } from '#web/lib/dates.ts'
import { controlClass, useField } from './Field.tsx'
import { Popover } from './Popover.tsx'
import { Skeleton, Skeletons } from './Skeleton.tsx'

const MonthPicker = lazy(() => import('./MonthPicker.tsx'))

type Props = {
  label?: string
  value: Day | undefined
  onChange: (day: Day) => void
  min?: Day
  max?: Day
  /** Today in the relevant zone; by default, today in the browser's. */
  today?: Day
  disabled?: boolean
  className?: string
}

/** A day, shown as "Fri 20 Nov 2026". It doesn't show the zone: put that next to it. */
export function DatePicker({ label = 'Date', value, onChange, min, max, today, disabled = false, className }: Props) {
  const [open, setOpen] = useState(false)
  const [localToday] = useState(() => wallOf(new Date(), localZone()).day)
  const field = useField({})
  return (
    <Popover
      label={label}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          {...field}
          type="button"
          disabled={disabled}
          aria-label={`${label}: ${value ? `${shortWeekday(value)} ${dayText(value)}` : 'Choose a day'}`}
          className={clsx(
            controlClass,
            'tnum flex h-8 items-center gap-2 px-2.5 text-left pointer-coarse:h-10',
            className,
          )}
        >
          <CalendarDays size={14} aria-hidden className="shrink-0 text-ink-muted" />
          {value ? `${shortWeekday(value)} ${dayText(value)}` : <span className="text-ink-faint">Choose a day</span>}
        </button>
      }
    >
      <Suspense
        fallback={
          <Skeletons>
            <Skeleton className="h-60 w-56" />
          </Skeletons>
        }
      >
        <MonthPicker
          value={value}
          min={min}
          max={max}
          today={today ?? localToday}
          onChange={(day) => {
            onChange(day)
            setOpen(false)
          }}
        />
      </Suspense>
    </Popover>
  )
}
