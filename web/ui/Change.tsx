import { clsx } from 'clsx'

/** A change in percent with two decimals, by sign, text and color. Nothing if there's nothing to compare with. */
export function Change({
  percent,
  than,
  good = 'more',
}: {
  percent: number | null
  /** "than yesterday" */ than: string
  /** Which direction is good; `neither` leaves the color out. */ good?: 'more' | 'fewer' | 'neither'
}) {
  if (percent === null) return null
  const tone =
    percent === 0 || good === 'neither' ? 'text-ink-muted' : percent > 0 === (good === 'more') ? 'text-ok' : 'text-bad'
  return (
    <span
      className={clsx('tnum text-sm font-semibold whitespace-nowrap', tone)}
      title={`${percent.toFixed(2)}% ${percent < 0 ? 'fewer' : 'more'} ${than}`.replace('-', '')}
    >
      {percent > 0 ? '+' : percent < 0 ? '\u2212' : ''}
      {Math.abs(percent).toFixed(2)}%
      <span className="sr-only">
        {' '}
        {percent < 0 ? 'fewer' : 'more'} {than}
      </span>
    </span>
  )
}
