import { useState } from 'react'
import { offsetText } from '#contract/format.ts'
import type { Occurrence } from '#contract/series.ts'
import { clockText, dayText, shortWeekday, wallOf } from '#web/lib/dates.ts'
import { Button } from '#web/ui/Button.tsx'
import type { SeriesView } from './plan.ts'

/** As many as fit at a glance; the rest on request. */
const FIRST = 6

/** All times of the series, with the clock changes among them. */
export function SeriesPreview({
  series,
  zone,
  channels,
  error,
}: {
  series: SeriesView
  zone: string
  channels: number
  error: string | undefined
}) {
  const [all, setAll] = useState(false)
  const problem = error ?? series.error
  const { times } = series
  const shown = all ? times : times.slice(0, FIRST)
  return (
    <div className="grid gap-2 rounded-md border border-line bg-surface px-3 py-2.5">
      {problem ? (
        <p role="alert" className="text-sm text-bad">
          {problem}
        </p>
      ) : null}
      {times.length > 0 ? (
        <>
          <p role="status" className="font-semibold">
            {times.length} {times.length === 1 ? 'time' : 'times'}
            {channels > 1 ? (
              <span className="font-normal text-ink-muted">
                {' '}
                on {channels} channels, {times.length * channels} posts in total
              </span>
            ) : null}
          </p>
          <ol aria-label="Times" className="tnum grid gap-x-6 gap-y-0.5 text-sm sm:grid-cols-2">
            {shown.map((time, i) => (
              <Time key={time.at.getTime()} time={time} before={times[i - 1]} zone={zone} />
            ))}
          </ol>
          {times.length > FIRST ? (
            <Button
              size="s"
              tone="quiet"
              className="justify-self-start"
              aria-expanded={all}
              onClick={() => setAll(!all)}
            >
              {all ? 'Show fewer' : `Show all ${times.length}`}
            </Button>
          ) : null}
        </>
      ) : null}
    </div>
  )
}

function Time({ time, before, zone }: { time: Occurrence; before: Occurrence | undefined; zone: string }) {
  const { day, clock } = wallOf(time.at, zone)
  const note =
    time.shift === 'skipped'
      ? 'Clocks go forward: moved later'
      : time.shift === 'double'
        ? 'Clocks go back: the first of two'
        : before && before.offset !== time.offset
          ? `Clocks have changed, ${offsetText(time.at, zone)} from here`
          : undefined
  return (
    <li>
      <time dateTime={time.at.toISOString()}>
        {shortWeekday(day)} {dayText(day)}, {clockText(clock)}
      </time>
      {note ? <span className="block text-wait">{note}</span> : null}
    </li>
  )
}
