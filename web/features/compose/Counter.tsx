import { clsx } from 'clsx'
import { countsBytes } from '#contract/platforms/rules.ts'
import { CountRing } from '#web/ui/CountRing.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import type { Count } from './checks.ts'
import { NEAR } from './checks.ts'

const words: Record<Count['unit'], string> = {
  graphemes: 'characters',
  characters: 'characters',
  utf16: 'characters',
  utf8bytes: 'bytes',
  weighted: 'characters',
  links23: 'characters',
  emojibytes: 'characters',
  shortened: 'characters',
  shortenedbytes: 'bytes',
}

/** As many as people can read at a glance. */
const SHOWN = 4

/**
 * How much of each platform's limit is used, the fullest first, as a ring and in numbers; announced only near the
 * limit.
 */
export function Counter({ counts, id }: { counts: readonly Count[]; id: string }) {
  const several = new Set(counts.map(({ platform }) => platform)).size > 1
  const sorted = several ? counts.toSorted((a, b) => b.used / b.max - a.used / a.max) : counts
  // those near their limit are never left out
  const shown = sorted.filter((count, i) => i < SHOWN || count.used > count.max * NEAR)
  const rest = sorted.slice(shown.length)
  return (
    <div id={id} className="tnum flex flex-wrap items-center justify-end gap-x-3.5 gap-y-1 text-sm text-ink-muted">
      {shown.map((count) => {
        const over = count.used > count.max
        const near = count.used > count.max * NEAR
        return (
          <span
            key={`${count.label} ${count.unit} ${count.max}`}
            className={clsx('flex items-center gap-1.5', over ? 'font-semibold text-bad' : near ? 'text-wait' : '')}
          >
            {several ? (
              <PlatformIcon platform={count.platform} size={14} />
            ) : (
              <CountRing part={count.used / count.max} over={over} near={near} />
            )}
            {several ? (
              <>
                {(count.max - count.used).toLocaleString('en')}
                <span className="sr-only"> {words[count.unit]} left</span>
              </>
            ) : (
              <>
                {count.used.toLocaleString('en')} / {count.max.toLocaleString('en')}
                {countsBytes(count) ? ' bytes' : <span className="sr-only"> {words[count.unit]}</span>}
              </>
            )}
          </span>
        )
      })}
      {rest.length > 0 ? (
        <span
          data-tip={rest.map(({ label, used, max }) => `${label} ${(max - used).toLocaleString('en')}`).join(', ')}
          className="text-ink-faint"
        >
          +{rest.length}
          <span className="sr-only">
            {' '}
            more with room:{' '}
            {rest.map(({ label, used, max }) => `${label} ${(max - used).toLocaleString('en')}`).join(', ')}
          </span>
        </span>
      ) : null}
      <span role="status" className="sr-only">
        {counts
          .filter((count) => count.used > count.max * 0.9)
          .map(
            (count) =>
              `${several ? `${count.label}: ` : ''}${count.used > count.max ? `${count.used - count.max} ${words[count.unit]} over the limit` : `${count.max - count.used} ${words[count.unit]} left`}`,
          )
          .join(', ')}
      </span>
    </div>
  )
}
