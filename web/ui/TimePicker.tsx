import { clsx } from 'clsx'
import { useId } from 'react'
import { clockFrom, clockParts, type Clock } from '#web/lib/dates.ts'
import { Select } from './Select.tsx'

const hours = Array.from({ length: 12 }, (_, i) => String(i === 0 ? 12 : i)).map((hour) => ({
  value: hour,
  label: hour.padStart(2, '0'),
}))
const minutes = Array.from({ length: 60 }, (_, i) => ({ value: String(i), label: String(i).padStart(2, '0') }))
const halves = [
  { value: 'AM', label: 'AM' },
  { value: 'PM', label: 'PM' },
] as const

/** 12 hours, 60 minutes, AM or PM. The value is on the 24-hour clock, such as `21:30`; put the zone next to it. */
export function TimePicker({
  label = 'Time',
  value,
  onChange,
  disabled = false,
  className,
}: {
  label?: string
  value: Clock
  onChange: (value: Clock) => void
  disabled?: boolean
  className?: string
}) {
  const { hour12, minute, half } = clockParts(value)
  const id = useId()
  // inside a Field, its label belongs to the hour: the first thing to set
  return (
    <div role="group" aria-label={label} className={clsx('tnum flex items-center gap-1', className)}>
      <Select
        aria-label={`${label}, hour`}
        disabled={disabled}
        className="w-16 pointer-coarse:w-20"
        options={hours}
        value={String(hour12)}
        onChange={(event) => onChange(clockFrom(Number(event.target.value), minute, half))}
      />
      <span aria-hidden className="text-ink-muted">
        :
      </span>
      <Select
        id={`${id}-minute`}
        aria-label={`${label}, minute`}
        disabled={disabled}
        className="w-16 pointer-coarse:w-20"
        options={minutes}
        value={String(minute)}
        onChange={(event) => onChange(clockFrom(hour12, Number(event.target.value), half))}
      />
      <Select
        id={`${id}-half`}
        aria-label={`${label}, AM or PM`}
        disabled={disabled}
        className="w-18 pointer-coarse:w-21"
        options={halves}
        value={half}
        onChange={(event) => onChange(clockFrom(hour12, minute, event.target.value === 'PM' ? 'PM' : 'AM'))}
      />
    </div>
  )
}
