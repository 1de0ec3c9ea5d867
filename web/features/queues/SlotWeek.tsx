import Ellipsis from 'lucide-react/icons/ellipsis'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { QUEUE_SLOTS_MOST, type QueueSlot } from '#contract/queues.ts'
import { clockText } from '#web/lib/dates.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/Menu.tsx'
import { Popover } from '#web/ui/Popover.tsx'
import { TimePicker } from '#web/ui/TimePicker.tsx'
import { days, everyDay, weekdays, withDayCopied, withoutSlot, withSlots } from './slots.ts'

type Props = {
  slots: readonly QueueSlot[]
  /** Undefined for those who may only view it. */ onChange: ((slots: QueueSlot[]) => void) | undefined
}

/** The slots of a week, day by day, or one day below the other on phones. */
export function SlotWeek({ slots, onChange }: Props) {
  return (
    <ul
      aria-label="Weekly slots"
      className="grid overflow-hidden rounded-lg border border-line bg-surface max-xl:divide-y max-xl:divide-line xl:grid-cols-7 xl:divide-x xl:divide-line"
    >
      {days.map((name, day) => {
        const own = slots.filter((slot) => slot.day === day)
        return (
          <li key={name} aria-label={name} className="flex min-w-0 gap-2 px-2.5 py-2 xl:grid xl:content-start">
            <div className="flex min-h-6 w-24 shrink-0 items-center justify-between gap-1 xl:w-auto">
              <span className="text-sm font-semibold">{name}</span>
              {onChange && own.length > 0 ? <DayMenu day={day} slots={slots} onChange={onChange} /> : null}
            </div>
            <ul
              aria-label={`Times on ${name}`}
              className="flex min-w-0 grow flex-wrap items-center gap-1.5 xl:grid xl:justify-items-start empty:hidden"
            >
              {own.map((slot) => (
                <li key={slot.time}>
                  <Chip
                    label={`${name}, ${clockText(slot.time)}`}
                    {...(onChange ? { onRemove: () => onChange(withoutSlot(slots, slot)) } : {})}
                  >
                    <span className="tnum">{clockText(slot.time)}</span>
                  </Chip>
                </li>
              ))}
            </ul>
            {onChange ? (
              <AddSlot day={day} slots={slots} onChange={onChange} />
            ) : own.length === 0 ? (
              <span className="text-sm text-ink-muted">No slots</span>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

type DayProps = { day: number; slots: readonly QueueSlot[]; onChange: (slots: QueueSlot[]) => void }

function AddSlot({ day, slots, onChange }: DayProps) {
  const [open, setOpen] = useState(false)
  const [time, setTime] = useState('09:00')
  const [on, setOn] = useState<readonly number[]>([day])
  const next = withSlots(slots, time, on)
  const full = next.length > QUEUE_SLOTS_MOST
  return (
    <Popover
      label={`Add a slot on ${days[day]}`}
      open={open}
      onOpenChange={(now) => {
        setOpen(now)
        setOn([day])
      }}
      className="w-72"
      trigger={
        <IconButton
          label={`Add a slot on ${days[day]}`}
          size="s"
          icon={<Plus size={14} />}
          className="ml-auto xl:ml-0"
        />
      }
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (on.length === 0 || full) return
          onChange(next)
          setOpen(false)
        }}
      >
        <TimePicker label="Time of the slot" value={time} onChange={setTime} />
        <fieldset className="grid gap-1.5">
          <legend className="mb-1.5 text-sm font-semibold">On</legend>
          <div className="grid grid-cols-2 gap-1.5">
            {days.map((name, one) => (
              <Checkbox
                key={name}
                label={name}
                checked={on.includes(one)}
                onChange={({ target }) => setOn(target.checked ? [...on, one] : on.filter((other) => other !== one))}
              />
            ))}
          </div>
        </fieldset>
        {full ? <p className="text-sm text-bad">{`A queue can have up to ${QUEUE_SLOTS_MOST} slots.`}</p> : null}
        <Button type="submit" tone="primary" disabled={on.length === 0 || full}>
          Add slot
        </Button>
      </form>
    </Popover>
  )
}

function DayMenu({ day, slots, onChange }: DayProps) {
  const name = days[day] ?? ''
  return (
    <Menu
      label={`Times of ${name}`}
      align="end"
      trigger={<IconButton label={`Times of ${name}`} size="s" icon={<Ellipsis size={14} />} />}
    >
      <MenuItem onSelect={() => onChange(withDayCopied(slots, day, weekdays))}>Copy to Monday to Friday</MenuItem>
      <MenuItem onSelect={() => onChange(withDayCopied(slots, day, everyDay))}>Copy to every day</MenuItem>
      <MenuSeparator />
      <MenuItem danger onSelect={() => onChange(slots.filter((slot) => slot.day !== day))}>
        {`Clear ${name}`}
      </MenuItem>
    </Menu>
  )
}
