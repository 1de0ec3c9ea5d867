import { wallOf } from '#web/lib/dates.ts'
import { clockChangeNote, instantOfMoment, type Moment } from '#web/lib/moment.ts'
import { DatePicker } from './DatePicker.tsx'
import { TimePicker } from './TimePicker.tsx'
import { ZonePicker } from './ZonePicker.tsx'

/** A day, a time and their zone, with a note if clocks change just then. */
export function WhenPicker({
  value,
  onChange,
  error,
  now,
}: {
  value: Moment
  onChange: (when: Moment) => void
  error?: string | undefined
  now: Date
}) {
  const today = wallOf(now, value.zone).day
  const note = clockChangeNote(value)
  return (
    <div className="grid gap-2.5">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2.5">
        <div className="w-42">
          <DatePicker value={value.day} min={today} today={today} onChange={(day) => onChange({ ...value, day })} />
        </div>
        <TimePicker value={value.clock} onChange={(clock) => onChange({ ...value, clock })} />
        <ZonePicker
          value={value.zone}
          at={instantOfMoment(value)}
          onChange={(zone) => onChange({ ...value, zone })}
          className="min-w-60 flex-1"
        />
      </div>
      {error ? (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
      {note ? <p className="text-sm text-wait">{note}</p> : null}
    </div>
  )
}
