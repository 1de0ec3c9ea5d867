import { sparkElements, drawSpark } from '#charts/spark.ts'
import { lineSummary } from '#charts/table.ts'
import { Elements } from './Elements.tsx'

const SIZE = { width: 96, height: 24 }

/** A small line without axes; what it says is in its name. Nothing without two values in a row. */
export function Spark({ label, values }: { label: string; values: readonly (number | null)[] }) {
  const drawing = drawSpark(values, SIZE)
  if (drawing.lines.length === 0) return null
  return (
    <svg {...SIZE} role="img" aria-label={lineSummary(label, values)} className="block shrink-0">
      <Elements of={sparkElements(drawing, 'var(--ink-muted)')} />
    </svg>
  )
}
