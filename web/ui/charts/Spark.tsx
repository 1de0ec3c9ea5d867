import type { Size } from '#charts/data.ts'
import { sparkElements, drawSpark } from '#charts/spark.ts'
import { lineSummary } from '#charts/table.ts'
import { Elements } from './Elements.tsx'

const SIZE: Size = { width: 96, height: 24 }

/** A small line without axes; what it says is in its name. Nothing without two values in a row. */
export function Spark({
  label,
  values,
  size = SIZE,
}: {
  label: string
  values: readonly (number | null)[]
  size?: Size
}) {
  const drawing = drawSpark(values, size)
  if (drawing.lines.length === 0) return null
  return (
    <svg {...size} role="img" aria-label={lineSummary(label, values)} className="block shrink-0">
      <Elements of={sparkElements(drawing, 'var(--ink-muted)')} />
    </svg>
  )
}
