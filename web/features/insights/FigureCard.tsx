import { clsx } from 'clsx'
import { cardTitle, figureText, unitOf } from '#contract/analytics/labels.ts'
import type { InsightsCard, MissingChannels } from '#contract/analytics/overview.ts'
import { shortNumber } from '#contract/format.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { FigureChange } from '#web/ui/Change.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import type { ProjectIds } from '#web/lib/project.ts'
import { coverageSentences, coverageText } from './coverageText.ts'
import { Definition } from './Definition.tsx'
import { Missing } from './Missing.tsx'
import type { NamedChannels } from './useChannels.ts'

/** Every card has this height, so that nothing moves when figures arrive. */
export const CARD = 'h-32'

type Props = {
  ids: ProjectIds
  card: InsightsCard
  /** The channels that aren't in it. */ missing: readonly MissingChannels[]
  channels: NamedChannels
  /** "than 10 Nov to 16 Nov 2026" */ than: string
  isChosen: boolean
  onChoose: () => void
  /** Says it in this platform's own term. */ platform?: PlatformKey
}

/** One total: its change, how much it covers, the platforms in it, and who is missing. Choosing it draws it by day. */
export function FigureCard({ ids, card, missing, channels, than, isChosen, onChoose, platform }: Props) {
  const { base, name, value, holds } = card
  const title = cardTitle(base, name, platform)
  const text = figureText(name, value)
  const inIt = platform ? [] : [...Map.groupBy(holds, (one) => one.platform)]
  return (
    <li
      className={clsx(
        'relative flex min-w-0 flex-col gap-1 rounded-lg border bg-surface px-3.5 py-2.5',
        CARD,
        isChosen ? 'border-accent inset-ring inset-ring-accent' : 'border-line hover:border-line-strong',
      )}
    >
      <div className="flex h-6 items-center justify-between gap-1">
        <button
          type="button"
          aria-pressed={isChosen}
          disabled={value === null}
          onClick={onChoose}
          title={title}
          className="truncate text-left text-sm font-semibold text-ink-muted after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent aria-pressed:text-ink"
        >
          {title}
        </button>
        <Definition
          base={base}
          name={name}
          title={title}
          details={value === null ? [] : coverageSentences(card, than)}
          postsOnly={card.subject === 'post'}
          {...(platform ? { platforms: [platform] } : inIt.length > 0 ? { platforms: inIt.map(([one]) => one) } : {})}
          className="relative -mr-1.5"
        />
      </div>
      <p className="flex h-9 items-baseline gap-x-2 overflow-hidden">
        {value === null ? (
          <span className="pt-1.5 text-sm text-ink-muted">No figures in these days</span>
        ) : (
          <>
            <span className="tnum shrink-0 text-2xl font-bold tracking-tight" title={text}>
              {unitOf(name).unit === 'count' ? shortNumber(value) : text}
            </span>
            <FigureChange figure={card} than={than} />
          </>
        )}
      </p>
      <p className="h-4 truncate text-xs text-ink-muted">{coverageText(card)}</p>
      <div className="mt-auto flex h-6 items-center gap-1">
        {inIt.slice(0, SHOWN).map(([one, parts]) => (
          <span key={one} title={`${platformName(one)}: ${parts.flatMap(({ terms }) => terms).join(', ')}`}>
            <PlatformIcon platform={one} size={16} />
          </span>
        ))}
        {inIt.length > SHOWN ? <span className="text-xs text-ink-muted">+{inIt.length - SHOWN}</span> : null}
        {missing.length > 0 ? <Missing ids={ids} title={title} missing={missing} channels={channels} /> : null}
      </div>
    </li>
  )
}
const SHOWN = 4
