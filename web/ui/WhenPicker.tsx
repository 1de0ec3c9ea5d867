import { clockText, instantAt, wallOf, type Clock, type Day } from '#web/lib/dates.ts'
import { DatePicker } from './DatePicker.tsx'
import { TimePicker } from './TimePicker.tsx'
import { ZonePicker } from './ZonePicker.tsx'

export type When = { day: Day; clock: Clock; zone: string }

/** A day, a time and the zone in which they are meant, with a word when clocks change just then. */
export function WhenPicker({ value, onChange, error, now }: { value: When; onChange: (when: When) => void; error?: string | undefined; now: Date }) {
  const today = wallOf(now, value.zone).day
  const note = clockChangeNote(value)
  return (
    <div className="grid gap-2.5">
      <div className="flex flex-wrap items-start gap-2">
        <DatePicker value={value.day} min={today} today={today} onChange={(day) => onChange({ ...value, day })} className="w-44" />
        <TimePicker value={value.clock} onChange={(clock) => onChange({ ...value, clock })} />
      </div>
      <ZonePicker value={value.zone} at={instantAt(value.day, value.clock, value.zone)} onChange={(zone) => onChange({ ...value, zone })} className="max-w-85" />
      {error ? (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
      {note ? <p className="text-sm text-wait">{note}</p> : null}
    </div>
  )
}

/** The sentence for a time that the change of clocks skips or repeats; undefined for all others. */
export function clockChangeNote({ day, clock, zone }: When): string | undefined {
  const at = instantAt(day, clock, zone)
  const shown = wallOf(at, zone)
  if (shown.day !== day || shown.clock !== clock) return `Clocks go forward then: ${clockText(clock)} does not exist that day. It goes out at ${clockText(shown.clock)}.`
  // clocks go back by half an hour or an hour, in one zone by two
  const again = [30, 60, 120].some((minutes) => {
    const later = wallOf(new Date(at.getTime() + minutes * 60_000), zone)
    return later.day === day && later.clock === clock
  })
  return again ? `Clocks go back then: ${clockText(clock)} comes twice that day. It goes out at the first.` : undefined
}
