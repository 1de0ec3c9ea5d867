import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { DayPicker } from 'react-day-picker'
import { longDay, type Day } from '#web/lib/dates.ts'

type Props = {
  value: Day | undefined
  onChange: (day: Day) => void
  min?: Day | undefined
  max?: Day | undefined
  today: Day
}

const arrow =
  'grid size-8 place-items-center rounded-md text-ink-muted hover:bg-hover hover:text-ink disabled:opacity-40 aria-disabled:opacity-40'

/** One month to pick a day from; arrow keys, Page Up and Down move. Loaded when a DatePicker opens. */
export default function MonthPicker({ value, onChange, min, max, today }: Props) {
  const selected = value ? dateOf(value) : undefined
  return (
    <DayPicker
      mode="single"
      // it opens in a popover because the person asked for it
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      weekStartsOn={0}
      showOutsideDays
      today={dateOf(today)}
      selected={selected}
      defaultMonth={selected ?? dateOf(min && min > today ? min : today)}
      onSelect={(date) => {
        if (date) onChange(dayOf(date))
      }}
      disabled={[...(min ? [{ before: dateOf(min) }] : []), ...(max ? [{ after: dateOf(max) }] : [])]}
      labels={{
        labelDayButton: (date, { today: isToday, selected: isSelected }) =>
          `${longDay(dayOf(date))}${isToday ? ', today' : ''}${isSelected ? ', selected' : ''}`,
      }}
      components={{
        Chevron: ({ orientation }) =>
          orientation === 'left' ? <ChevronLeft size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />,
      }}
      classNames={{
        root: 'tnum relative select-none',
        months: 'relative',
        nav: 'absolute inset-x-0 top-0 flex items-center justify-end gap-0.5',
        button_previous: arrow,
        button_next: arrow,
        month_caption: 'flex h-8 items-center px-1.5',
        caption_label: 'font-bold',
        month_grid: 'mt-1.5 border-collapse',
        weekday: 'size-8 text-xs font-semibold text-ink-muted',
        day: 'size-8 p-0 text-center pointer-coarse:size-10',
        day_button:
          'grid size-full place-items-center rounded-md hover:bg-hover disabled:text-ink-faint disabled:opacity-50 disabled:hover:bg-transparent',
        today: 'font-bold text-accent',
        outside: 'text-ink-faint',
        selected:
          '[&>button]:bg-accent [&>button]:text-on-accent [&>button]:font-bold [&>button]:hover:bg-accent-hover',
        disabled: '',
      }}
    />
  )
}

/** Noon in the browser's zone: the picker uses local days, and no clock change affects noon. */
function dateOf(day: Day): Date {
  const [year = 1970, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 12)
}

function dayOf(date: Date): Day {
  return [
    date.getFullYear(),
    String(date.getMonth() + 1).padStart(2, '0'),
    String(date.getDate()).padStart(2, '0'),
  ].join('-')
}
