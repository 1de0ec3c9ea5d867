import type { ReactNode } from 'react'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { FigureChange } from '#web/ui/Change.tsx'

type Props = {
  value: ReactNode
  /** Its change, or why there's none; null keeps its place. Without it, the table compares nothing. */ change?: ReactNode
  /** What the value covers, such as its days. */ note?: ReactNode
}

/**
 * A figure in a table: its value, and below it its change, at the right edge of its column. In a card, both are on one line, each
 * below those of the other figures; a note is below them, or where the change would be if there's none.
 */
export const FigureCell = ({ value, change, note }: Props) => (
  <span
    className={`tnum inline-grid leading-tight gap-x-2 gap-y-0.5 text-right rows:justify-items-end cards:ml-auto cards:min-w-0 cards:items-baseline cards:justify-items-end ${change === undefined ? '' : 'cards:grid-cols-[auto_5.25rem]'}`}
  >
    <span className="font-semibold whitespace-nowrap">{value}</span>
    {change === undefined ? null : <span className={change === null && note ? 'cards:hidden' : ''}>{change}</span>}
    {note ? (
      <span className={`text-xs text-ink-muted rows:whitespace-nowrap ${change === null ? '' : 'cards:col-span-full'}`}>
        {note}
      </span>
    ) : null}
  </span>
)

/** A figure's change for its cell; null where it has no value, undefined if nothing is compared (`thanText`). */
export const changeOf = (figure: ComparedFigure | undefined, than: string): ReactNode =>
  than === '' ? undefined : figure && figure.value !== null ? <FigureChange figure={figure} than={than} /> : null
