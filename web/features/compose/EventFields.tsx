import { addDays } from '#web/lib/dates.ts'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { TimePicker } from '#web/ui/TimePicker.tsx'
import { Button } from '#web/ui/Button.tsx'
import type { Details } from './doc.ts'

type Event = NonNullable<Details['event']>

/** When something begins and ends, in local times: the platform knows no zone. */
export function EventFields({
  label,
  value,
  error,
  today,
  onChange,
}: {
  label: string
  value: Event | undefined
  error: string | undefined
  today: string
  onChange: (event: Event) => void
}) {
  const trouble = error ? (
    <p role="alert" className="text-sm text-bad">
      {error}
    </p>
  ) : null
  if (!value) {
    return (
      <div className="grid content-start justify-items-start gap-1.5">
        <span className="text-sm font-semibold">{label}</span>
        <Button
          onClick={() =>
            onChange({ start: { date: today, time: '09:00' }, end: { date: addDays(today, 7), time: '18:00' } })
          }
        >
          Set start and end
        </Button>
        {trouble}
      </div>
    )
  }
  const end = (part: 'start' | 'end', name: string, least: string) => (
    <div className="flex flex-wrap items-center gap-2">
      <span className="w-12 text-sm text-ink-muted">{name}</span>
      <div className="w-42">
        <DatePicker
          label={name}
          value={value[part].date}
          min={least}
          today={today}
          onChange={(date) => onChange({ ...value, [part]: { ...value[part], date } })}
        />
      </div>
      <TimePicker
        label={`${name}, time`}
        value={value[part].time}
        onChange={(time) => onChange({ ...value, [part]: { ...value[part], time } })}
      />
    </div>
  )
  const backwards = `${value.end.date} ${value.end.time}` <= `${value.start.date} ${value.start.time}`
  return (
    <fieldset className="grid gap-1.5 sm:col-span-2">
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      {end('start', 'Begins', today)}
      {end('end', 'Ends', value.start.date)}
      {backwards ? <p className="text-sm text-wait">The end is before the start.</p> : trouble}
    </fieldset>
  )
}
