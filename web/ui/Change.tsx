import { clsx } from 'clsx'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { comparisonWords } from '#contract/analytics/comparisonWords.ts'
import { goodDirection } from '#contract/analytics/labels.ts'

type Words = {
  /** "than yesterday" */ than: string
  /** Which direction is good, in color where a change always means something; no color by default. */ good?:
    | 'more'
    | 'fewer'
}

/** A change in percent with two decimals, by sign and text. Nothing if there's nothing to compare with. */
export function Change({ percent, ...words }: { percent: number | null } & Words) {
  return percent === null ? null : <Amount value={percent} unit="%" name="%" {...words} />
}

type Changed = Pick<ComparedFigure, 'name' | 'changePercent' | 'changePoints' | 'whyNotComparable' | 'normal'>

/**
 * The change of a compared figure in percent, of a rate in percentage points; or the reason why there is none. Figures go up and down
 * from week to week, so it has color only where the value isn't what is usual on these weekdays.
 */
export function FigureChange({ figure, ...words }: { figure: Changed } & Pick<Words, 'than'>) {
  const { changePercent, changePoints, whyNotComparable: why } = figure
  if (changePoints !== null) return <Amount value={changePoints} unit=" pts" name=" percentage points" {...words} />
  if (changePercent !== null) {
    const good = isUnusual(figure) ? goodDirection(figure.name) : undefined
    return <Change percent={changePercent} {...words} {...(good ? { good } : {})} />
  }
  return why === null ? null : <span className="text-xs text-pretty text-ink-muted">{comparisonWords[why]}</span>
}

/** Whether the change leads out of the usual range: above it after more, below it after less. */
function isUnusual({ normal, changePercent }: Changed): boolean {
  const standing = normal?.standing
  return (
    changePercent !== null && (standing === 'above' ? changePercent > 0 : standing === 'below' && changePercent < 0)
  )
}

function Amount({ value, unit, name, than, good }: { value: number; unit: string; name: string } & Words) {
  const tone =
    value === 0 || good === undefined ? 'text-ink-muted' : value > 0 === (good === 'more') ? 'text-ok' : 'text-bad'
  const words = value === 0 ? `as before` : `${value < 0 ? 'fewer' : 'more'} ${than}`
  return (
    <span
      className={clsx('tnum text-sm font-semibold whitespace-nowrap', tone)}
      title={`${Math.abs(value).toFixed(2)}${name} ${words}`}
    >
      {value > 0 ? '+' : value < 0 ? '\u2212' : ''}
      {Math.abs(value).toFixed(2)}
      {unit}
      <span className="sr-only"> {words}</span>
    </span>
  )
}
