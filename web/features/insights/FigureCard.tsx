import { clsx } from 'clsx'
import { cardTitle, figureText, unitOf } from '#contract/analytics/labels.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { InsightsCard, MissingChannels } from '#contract/analytics/overview.ts'
import { shortNumber } from '#contract/format.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { FigureChange } from '#web/ui/Change.tsx'
import { Spark } from '#web/ui/charts/Spark.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import type { ProjectIds } from '#web/lib/project.ts'
import { coverageSentences, coverageText, unusualText } from '#contract/analytics/coverageText.ts'
import { Definition } from './Definition.tsx'
import { thanText } from './insightsSearch.ts'
import { Missing } from './Missing.tsx'
import type { NamedChannels } from './useChannels.ts'

/** The height of most cards, so that little moves when figures arrive. Those with more to say are higher. */
const CARD = 'min-h-44 md:min-h-36 xl:min-h-32'
/** And of cards of one platform, which have no line of platforms. */
const OWN_CARD = 'min-h-29 md:min-h-28 xl:min-h-26'
export const cardHeight = (isOnePlatform: boolean): string => (isOnePlatform ? OWN_CARD : CARD)

type Props = {
  ids: ProjectIds
  card: InsightsCard
  /** The channels that aren't in it. */ missing: readonly MissingChannels[]
  channels: NamedChannels
  range: InsightsRange
  /** Its days as a small line. */ spark: readonly (number | null)[] | undefined
  isChosen: boolean
  onChoose: () => void
  /** Says it in this platform's own term. */ platform?: PlatformKey
}

/** One total: its change, how much it covers, the platforms in it, and who is missing. Choosing it draws it by day. */
export function FigureCard({ ids, card, missing, channels, range, spark, isChosen, onChoose, platform }: Props) {
  const { base, name, value, holds } = card
  const title = cardTitle(base, name, platform)
  const text = figureText(name, value)
  const inIt = platform ? [] : [...Map.groupBy(holds, (one) => one.platform)]
  return (
    <li
      className={clsx(
        'relative flex min-w-0 flex-col gap-1 rounded-lg border bg-surface px-3.5 py-2.5',
        cardHeight(platform !== undefined),
        isChosen ? 'border-accent inset-ring inset-ring-accent' : 'border-line hover:border-line-strong',
      )}
    >
      <div className="flex items-start justify-between gap-1">
        <button
          type="button"
          aria-pressed={isChosen}
          disabled={value === null}
          onClick={onChoose}
          className="min-w-0 pt-0.5 text-left break-words text-sm font-semibold text-ink-muted after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent aria-pressed:text-ink"
        >
          {title}
        </button>
        <Definition
          base={base}
          name={name}
          title={title}
          details={() => (value === null ? [] : coverageSentences(card, range))}
          postsOnly={card.subject === 'post'}
          {...(platform ? { platforms: [platform] } : inIt.length > 0 ? { platforms: inIt.map(([one]) => one) } : {})}
          className="relative -mr-1.5 shrink-0"
        />
      </div>
      <p className="flex flex-wrap items-baseline gap-x-2">
        {value === null ? (
          <span className="pt-1.5 text-sm text-ink-muted">No figures in these days</span>
        ) : (
          <>
            <span className="tnum shrink-0 text-2xl font-bold tracking-tight" title={text}>
              {unitOf(name).unit === 'count' ? shortNumber(value) : text}
            </span>
            <FigureChange figure={card} than={thanText(range.compare)} />
            {spark ? (
              <span className="ml-auto self-center max-md:hidden">
                <Spark label={`${title} by day`} values={spark} />
              </span>
            ) : null}
          </>
        )}
      </p>
      <p className="text-xs text-pretty text-ink-muted">
        {[unusualText(card), coverageText(card, range)].filter((text) => text !== undefined).join('. ')}
      </p>
      <div className="mt-auto flex flex-wrap items-center gap-1 not-empty:min-h-6">
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
