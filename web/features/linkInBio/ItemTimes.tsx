import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import { addDays, wallOf } from '#web/lib/dates.ts'
import { clockChangeNote, momentWords, nextSlot, type Moment } from '#web/lib/moment.ts'
import { Button } from '#web/ui/Button.tsx'
import { DatePicker } from '#web/ui/DatePicker.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { TimePicker } from '#web/ui/TimePicker.tsx'
import { ZoneNote } from '#web/ui/ZoneNote.tsx'
import type { EditedItem } from './edited.ts'
import { useEditor } from './EditorContext.ts'
import { fieldOf, instantOf } from './problems.ts'

/** Days that a link is shown if someone sets an end, to begin with. */
const WEEK = 7
type Side = 'starts' | 'ends'

/** When a link is shown: from, and until, in the zone beside it. */
export function ItemTimes({ item, error }: { item: EditedItem; error: string | undefined }) {
  const { now } = useEditor()
  return (
    <div
      // where a wrong end is shown
      data-field={fieldOf(item, 'ends')}
      tabIndex={-1}
      className="col-span-full grid justify-items-start gap-2.5 rounded-md bg-sunken p-2.5"
    >
      <TimeOf item={item} side="starts" />
      <TimeOf item={item} side="ends" />
      {error ? (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      ) : null}
      <ZoneNote zone={item.zone} at={instantOf(item.starts ?? item.ends, item.zone) ?? now} />
    </div>
  )
}

const words = {
  starts: {
    none: 'Shown from the start',
    set: 'Set a start',
    label: 'Start',
    date: 'Start date',
    time: 'Start time',
    clear: 'No start',
  },
  ends: {
    none: 'Shown without end',
    set: 'Set an end',
    label: 'End',
    date: 'End date',
    time: 'End time',
    clear: 'No end',
  },
} as const

function TimeOf({ item, side }: { item: EditedItem; side: Side }) {
  const { dispatch, readOnly, now } = useEditor()
  const root = useRef<HTMLDivElement>(null)
  const { key, zone } = item
  const value = item[side]
  const put = (moment: EditedItem[Side]) => dispatch({ type: 'itemChanged', key, part: { [side]: moment } })
  // the button that was pressed is gone: what takes its place has the focus
  const replace = (moment: EditedItem[Side]) => {
    flushSync(() => put(moment))
    root.current?.querySelector('button')?.focus()
  }
  const { none, set, label, clear } = words[side]
  if (!value)
    return readOnly ? (
      <p className="text-sm text-ink-muted">{none}</p>
    ) : (
      <div ref={root}>
        <Button size="s" icon={<Plus size={13} aria-hidden />} onClick={() => replace(firstOf(item, side, now))}>
          {set}
        </Button>
      </div>
    )
  const moment: Moment = { day: value.date, clock: value.time, zone }
  if (readOnly)
    return (
      <p className="tnum text-sm">
        {label}: {momentWords(moment)}
      </p>
    )
  const note = clockChangeNote(moment, side === 'starts' ? 'It starts' : 'It ends')
  return (
    <div ref={root} role="group" aria-label={label} className="grid gap-1">
      <div className="flex flex-wrap items-center gap-1.5">
        <span aria-hidden className="w-10 text-sm font-semibold">
          {label}
        </span>
        <div className="w-44">
          <DatePicker
            label={words[side].date}
            value={value.date}
            today={wallOf(now, zone).day}
            onChange={(date) => put({ ...value, date })}
          />
        </div>
        <TimePicker label={words[side].time} value={value.time} onChange={(time) => put({ ...value, time })} />
        <IconButton label={clear} icon={<X size={14} />} onClick={() => replace(null)} />
      </div>
      {note ? <p className="text-sm text-wait">{note}</p> : null}
    </div>
  )
}

/** A time to begin with: the next one, or the end of a day a week later. */
function firstOf({ starts, zone }: EditedItem, side: Side, now: Date): EditedItem[Side] {
  if (side === 'starts') {
    const { day, clock } = nextSlot(now, zone)
    return { date: day, time: clock }
  }
  return { date: addDays(starts?.date ?? wallOf(now, zone).day, WEEK), time: '23:59' }
}
