import { clsx } from 'clsx'
import { useId, useMemo, useState, type PointerEvent } from 'react'
import type { ChartData, Drawing, Series } from '#charts/data.ts'
import { draw, type Shape } from '#charts/draw.ts'
import { elementsOf } from '#charts/elements.ts'
import { notesOf } from '#charts/notes.ts'
import type { Looks } from '#charts/looks.ts'
import { lookAt } from '#charts/style.ts'
import { summaryOf } from '#charts/table.ts'
import { valueText } from '#contract/values.ts'
import { dayText, longDay } from '#web/lib/dates.ts'
import { Elements, token } from './Elements.tsx'
import { useSize } from './useSize.ts'

type Props = { label: string; data: ChartData; shape: Shape; looks: Looks; /** Its height. */ className: string }

/** The drawing. The pointer, or the arrow keys once it has the focus, show the values of one key of the axis. */
export function Plot({ label, data, shape, looks, className }: Props) {
  const [measure, size] = useSize()
  const drawing = useMemo(() => (size && size.width > 0 ? draw(data, size, shape) : undefined), [data, shape, size])
  return (
    <div ref={measure} className={clsx('relative min-w-0', className)}>
      {drawing ? <Drawn label={label} data={data} drawing={drawing} looks={looks} /> : null}
    </div>
  )
}

function Drawn({ label, data, drawing, looks }: Pick<Props, 'label' | 'data' | 'looks'> & { drawing: Drawing }) {
  // React's ids contain characters that url() doesn't accept
  const id = `chart${useId().replaceAll(/\W/g, '')}`
  const [chosen, setChosen] = useState<number>()
  const { positions } = drawing
  const last = positions.length - 1
  const index = chosen === undefined ? undefined : Math.min(chosen, last)
  const follow = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    setChosen(nearest(positions, x))
  }
  return (
    <>
      <svg
        width={drawing.width}
        height={drawing.height}
        role="img"
        aria-label={summaryOf(label, data)}
        className="tnum block overflow-visible text-[11px]"
      >
        <g aria-hidden>
          <Elements of={elementsOf(drawing, { looks, paint: token, id })} />
          {index === undefined ? null : <Pointed drawing={drawing} data={data} index={index} looks={looks} />}
        </g>
      </svg>
      {positions.length > 0 ? (
        // a slider is what every screen reader and keyboard already knows for walking along an axis
        <span
          className="absolute inset-0 touch-pan-y rounded-sm has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent"
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setChosen(undefined)}
        >
          <input
            type="range"
            min={0}
            max={Math.max(1, last)}
            value={index ?? last}
            aria-label={`Values of ${label}`}
            aria-valuetext={textAt(data, index ?? last)}
            onChange={(event) => setChosen(Math.min(last, Number(event.target.value)))}
            onFocus={(event) => {
              if (event.target.matches(':focus-visible')) setChosen(index ?? last)
            }}
            onBlur={() => setChosen(undefined)}
            className="pointer-events-none absolute inset-0 size-full opacity-0"
          />
        </span>
      ) : null}
      {index === undefined ? null : <Values drawing={drawing} data={data} index={index} looks={looks} />}
    </>
  )
}

/** The key whose middle is closest; keys are in order. */
function nearest(positions: readonly number[], x: number): number {
  const after = positions.findIndex((at) => at >= x)
  if (after <= 0) return after < 0 ? positions.length - 1 : 0
  return x - (positions[after - 1] ?? 0) < (positions[after] ?? 0) - x ? after - 1 : after
}

const nameOf = ({ kind, keys }: ChartData['axis'], index: number): string => {
  const key = keys[index] ?? ''
  return kind === 'days' ? longDay(key) : key
}

/** What is compared goes by its own day. */
const nameAt = ({ name, days }: Series, index: number): string => {
  const day = days?.[index]
  return day === undefined ? name : dayText(day)
}

/** "Monday 23 November 2026: Views 1,204, 16 Nov 2026 980. Not final" */
const textAt = (data: ChartData, index: number): string =>
  [
    `${nameOf(data.axis, index)}: ${data.series
      .map((one) => {
        const value = one.values[index] ?? null
        return `${nameAt(one, index)} ${value === null ? 'no data' : valueText(value, data.unit)}`
      })
      .join(', ')}`,
    ...notesOf(data, index),
  ].join('. ')

type At = { drawing: Drawing; data: ChartData; index: number; looks: Looks }

/** The line through the chosen key, and a dot at each of its values. */
function Pointed({ drawing: { plot, positions, heights }, data, index, looks }: At) {
  const x = positions[index] ?? plot.left
  return (
    <>
      <line x1={x} x2={x} y1={plot.top} y2={plot.bottom} stroke="var(--ink-muted)" strokeWidth={1} />
      {heights.map(({ series, ys }) => {
        const y = ys[index] ?? null
        const compared = data.series.find(({ key }) => key === series)?.comparedWith
        return y === null ? null : (
          <circle
            key={series}
            cx={x}
            cy={y}
            r={3.5}
            fill={token((looks.get(compared ?? series) ?? lookAt(0)).color)}
            stroke="var(--surface)"
            strokeWidth={1.5}
          />
        )
      })}
    </>
  )
}

/** The values of the chosen key, beside it. The slider announces them. */
function Values({ drawing: { positions, width }, data, index, looks }: At) {
  const x = positions[index] ?? 0
  const isRight = x > width / 2
  const notes = notesOf(data, index)
  return (
    <div
      aria-hidden
      className={clsx(
        'pointer-events-none absolute top-1 z-10 w-max rounded-md border border-line bg-raised px-2.5 py-1.5 text-sm shadow-2',
        isRight ? '-translate-x-full' : '',
      )}
      // half of the chart at least
      style={{ left: isRight ? x - 10 : x + 10, maxWidth: (isRight ? x : width - x) - 10 }}
    >
      <p className="font-semibold">{nameOf(data.axis, index)}</p>
      {data.series.map((one) => (
        <p key={one.key} className="flex items-center gap-1.5">
          <span
            className={clsx('size-2 shrink-0 rounded-full', one.comparedWith ? 'opacity-50' : '')}
            style={{ background: token((looks.get(one.comparedWith ?? one.key) ?? lookAt(0)).color) }}
          />
          <span dir="auto" className="truncate text-ink-muted">
            {nameAt(one, index)}
          </span>
          <span className="tnum ml-auto pl-3 font-semibold">{valueText(one.values[index] ?? null, data.unit)}</span>
        </p>
      ))}
      {notes.length > 0 ? <p className="pt-1 text-ink-muted">{notes.join('. ')}</p> : null}
    </div>
  )
}
