import { clsx } from 'clsx'
import { useId, useMemo, useState, type PointerEvent } from 'react'
import { drawBars } from '#charts/bars.ts'
import type { ChartData, Drawing } from '#charts/data.ts'
import { drawLine } from '#charts/line.ts'
import { summaryOf } from '#charts/table.ts'
import { valueText } from '#contract/values.ts'
import { longDay } from '#web/lib/dates.ts'
import type { Looks } from './figureProps.ts'
import { Marks } from './Marks.tsx'
import { useWidth } from './useWidth.ts'

type Props = { label: string; data: ChartData; shape: 'line' | 'bars' | 'grouped'; looks: Looks; height: number }

/** The drawing. The pointer, or the arrow keys once it has the focus, show the values of one key of the axis. */
export function Plot({ label, data, shape, looks, height }: Props) {
  const [measure, width] = useWidth()
  const drawing = useMemo(() => {
    if (width === 0) return undefined
    const size = { width, height }
    return shape === 'line' ? drawLine(data, size) : drawBars(data, size, { grouped: shape === 'grouped' })
  }, [data, shape, width, height])
  return (
    <div ref={measure} className="relative min-w-0" style={{ height }}>
      {drawing ? <Drawn label={label} data={data} drawing={drawing} looks={looks} /> : null}
    </div>
  )
}

function Drawn({ label, data, drawing, looks }: Pick<Props, 'label' | 'data' | 'looks'> & { drawing: Drawing }) {
  const id = useId()
  const [chosen, setChosen] = useState<number>()
  const { plot, positions } = drawing
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
          {drawing.yTicks.map(({ at, text }) => (
            <g key={text} transform={`translate(0,${at})`}>
              <line
                x1={plot.left}
                x2={plot.right}
                stroke={at === drawing.baseline ? 'var(--line-strong)' : 'var(--line)'}
              />
              <text x={plot.left - 8} dy="0.32em" textAnchor="end" fill="var(--ink-muted)">
                {text}
              </text>
            </g>
          ))}
          {drawing.xTicks.map(({ at, text, anchor }) => (
            <text key={at} x={at} y={drawing.height - 5} textAnchor={anchor} fill="var(--ink-muted)">
              {text}
            </text>
          ))}
          {drawing.breaks.map(({ x, text }) => (
            <g key={`${x} ${text}`} transform={`translate(${x},0)`}>
              <line y1={plot.top} y2={plot.bottom} stroke="var(--wait)" strokeDasharray="3 3" />
              <path d={`M-4,${plot.top - 7}h8l-4,6z`} fill="var(--wait)" />
            </g>
          ))}
          <Marks marks={drawing.marks} looks={looks} id={id} />
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

/** "Monday 23 November 2026: Views 1,204, Before 980" */
const textAt = (data: ChartData, index: number): string =>
  `${nameOf(data.axis, index)}: ${data.series
    .map(
      ({ name, values }) =>
        `${name} ${values[index] === null ? 'no data' : valueText(values[index] ?? null, data.unit)}`,
    )
    .join(', ')}`

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
            fill={looks.get(compared ?? series)?.color}
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
  const broken = data.breaks?.find(({ at }) => at === data.axis.keys[index])
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
      {data.series.map(({ key, name, values, comparedWith }) => (
        <p key={key} className="flex items-center gap-1.5">
          <span
            className={clsx('size-2 shrink-0 rounded-full', comparedWith ? 'opacity-50' : '')}
            style={{ background: looks.get(comparedWith ?? key)?.color }}
          />
          <span className="truncate text-ink-muted">{name}</span>
          <span className="tnum ml-auto pl-3 font-semibold">{valueText(values[index] ?? null, data.unit)}</span>
        </p>
      ))}
      {broken ? <p className="pt-1 text-wait">{broken.text}</p> : null}
    </div>
  )
}
