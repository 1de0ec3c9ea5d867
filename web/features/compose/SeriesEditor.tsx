import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { SCHEDULE } from '#contract/constants.ts'
import { addDays, wallOf } from '#web/lib/dates.ts'
import { instantOfMoment } from '#web/lib/moment.ts'
import { Button } from '#web/ui/Button.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Select } from '#web/ui/Select.tsx'
import { TimePicker } from '#web/ui/TimePicker.tsx'
import { ZonePicker } from '#web/ui/ZonePicker.tsx'
import { withMode, type Plan } from './plan.ts'

type Props = { plan: Plan; now: Date; onChange: (plan: Plan) => void }

const periods = [
  { value: 'custom', label: 'SPECIFIC DAYS' },
  { value: 'weekly', label: 'WEEKLY' },
  { value: 'monthly', label: 'MONTHLY' },
] as const
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const monthDays = Array.from({ length: 31 }, (_, i) => ({ value: String(i + 1), label: String(i + 1) }))

/** On which days it repeats, and until when. */
export function SeriesEditor({ plan, now, onChange }: Props) {
  const mode = plan.mode === 'weekly' || plan.mode === 'monthly' ? plan.mode : 'custom'
  return (
    <div className="grid gap-3">
      <Segmented
        label="Period"
        options={periods}
        value={mode}
        onChange={(next) => onChange(withMode(plan, next, now))}
        className="justify-self-start"
      />
      {mode === 'custom' ? (
        <SingleDays plan={plan} now={now} onChange={onChange} />
      ) : (
        <Range plan={plan} now={now} onChange={onChange} monthly={mode === 'monthly'} />
      )}
      <ZonePicker
        value={plan.when.zone}
        at={instantOfMoment(plan.when)}
        onChange={(zone) => onChange({ ...plan, when: { ...plan.when, zone } })}
        className="max-w-80"
      />
    </div>
  )
}

function Range({ plan, now, onChange, monthly }: Props & { monthly: boolean }) {
  const today = wallOf(now, plan.when.zone).day
  const { min, max } = monthly ? SCHEDULE.monthlyDays : SCHEDULE.weeklyDays
  const start = plan.when.day
  return (
    <>
      {monthly ? (
        <label className="flex items-center gap-2">
          Day of the month
          <Select
            className="w-18"
            options={monthDays}
            value={String(plan.dayOfMonth)}
            onChange={(event) => onChange({ ...plan, dayOfMonth: Number(event.target.value) })}
          />
          {plan.dayOfMonth > 28 ? (
            <span className="text-sm text-ink-muted">In shorter months, the last day is used.</span>
          ) : null}
        </label>
      ) : (
        <div role="group" aria-label="Days of the week" className="flex flex-wrap gap-1">
          {weekdays.map((name, day) => (
            <button
              key={name}
              type="button"
              aria-label={name}
              aria-pressed={plan.days.includes(day)}
              onClick={() =>
                onChange({
                  ...plan,
                  days: plan.days.includes(day) ? plan.days.filter((one) => one !== day) : [...plan.days, day],
                })
              }
              className="h-8 min-w-11 rounded-md px-2 text-sm font-semibold text-ink-muted inset-ring inset-ring-line hover:bg-hover hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-ink aria-pressed:inset-ring-accent pointer-coarse:h-10"
            >
              <span aria-hidden>{name.slice(0, 3)}</span>
            </button>
          ))}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <div className="w-42">
          <DatePicker
            label="From"
            value={start}
            min={today}
            today={today}
            onChange={(day) =>
              onChange({
                ...plan,
                when: { ...plan.when, day },
                endDay: plan.endDay < addDays(day, min) ? addDays(day, min) : plan.endDay,
              })
            }
          />
        </div>
        <span aria-hidden className="text-ink-muted">
          to
        </span>
        <div className="w-42">
          <DatePicker
            label="To"
            value={plan.endDay}
            min={addDays(start, min)}
            max={addDays(start, max)}
            today={today}
            onChange={(endDay) => onChange({ ...plan, endDay })}
          />
        </div>
        <TimePicker
          value={plan.when.clock}
          onChange={(clock) => onChange({ ...plan, when: { ...plan.when, clock } })}
        />
      </div>
    </>
  )
}

function SingleDays({ plan, now, onChange }: Props) {
  const today = wallOf(now, plan.when.zone).day
  const setTimes = (times: Plan['times']) => onChange({ ...plan, times })
  const last = plan.times.at(-1) ?? plan.when
  return (
    <div className="grid justify-items-start gap-2">
      <ol aria-label="Days" className="grid gap-2">
        {plan.times.map((time, i) => (
          // only their position tells them apart
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i} className="flex flex-wrap items-center gap-2">
            <div className="w-42">
              <DatePicker
                label={`Day ${i + 1}`}
                value={time.day}
                min={today}
                today={today}
                onChange={(day) => setTimes(plan.times.map((one, j) => (j === i ? { ...one, day } : one)))}
              />
            </div>
            <TimePicker
              label={`Time ${i + 1}`}
              value={time.clock}
              onChange={(clock) => setTimes(plan.times.map((one, j) => (j === i ? { ...one, clock } : one)))}
            />
            {plan.times.length > 1 ? (
              <IconButton
                label={`Remove day ${i + 1}`}
                size="s"
                icon={<X size={14} />}
                onClick={() => setTimes(plan.times.filter((_, j) => j !== i))}
              />
            ) : null}
          </li>
        ))}
      </ol>
      {plan.times.length < SCHEDULE.customEntries ? (
        <Button
          size="s"
          icon={<Plus size={14} aria-hidden />}
          onClick={() => setTimes([...plan.times, { day: addDays(last.day, 1), clock: last.clock }])}
        >
          Add a day
        </Button>
      ) : (
        <p className="text-sm text-ink-muted">You can choose up to {SCHEDULE.customEntries} times</p>
      )}
    </div>
  )
}
