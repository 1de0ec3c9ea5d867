import { clsx } from 'clsx'
import type { InsightsFilter, InsightsRange } from '#contract/analytics/filter.ts'
import { addsOf } from '#contract/analytics/labels.ts'
import type { InsightsCard, MissingChannels } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { paperClass } from '#web/ui/Panel.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { ByDay } from './ByDay.tsx'
import { inOrder } from './cardOrder.ts'
import { Cards } from './Cards.tsx'
import type { NamedChannels } from './useChannels.ts'
import { useChosenFigure, useView, type Lines } from './useFigures.ts'

type Props = {
  ids: ProjectIds
  label: string
  cards: readonly InsightsCard[]
  missing: readonly MissingChannels[]
  query: InsightsFilter
  channels: NamedChannels
  range: InsightsRange
  /** What lines can be drawn for. */ lines: readonly Exclude<Lines, 'total'>[]
  /** Says the figures in this platform's own terms. */ platform?: PlatformKey
}

const names: Record<Lines, string> = { total: 'Total', platform: 'By platform', channel: 'By channel' }

/** Totals as cards, and the chosen one by day. */
export function Figures({ ids, label, cards, missing, query, channels, range, lines, platform }: Props) {
  const [wanted, choose] = useChosenFigure()
  const { lines: by, onLines, all, onAll } = useView()
  const has = (card: InsightsCard) => card.base === wanted?.base && card.name === wanted.name
  // the first card, unless the address names another
  const told = inOrder(cards).filter(({ value }) => value !== null)
  const chosen = told.find(has) ?? told[0]
  // a figure that can't be added has no total by day
  const options = (['total', ...lines] as const).filter((one) => one !== 'total' || addsOfCard(chosen) !== 'none')
  const shown = options.includes(by) ? by : options[0]
  return (
    <div className="grid gap-2.5">
      <Cards
        ids={ids}
        cards={cards}
        missing={missing}
        channels={channels}
        range={range}
        chosen={chosen}
        onChoose={choose}
        all={all}
        onAll={onAll}
        {...(platform ? { platform } : {})}
      />
      {chosen?.name === 'engagementRate' ? (
        <p className={clsx(paperClass, 'px-3.5 py-3 text-pretty text-ink-muted')}>
          The engagement rate isn't shown by day: it's worked out from all of these days together.
        </p>
      ) : chosen && shown ? (
        <section aria-label={`${label} by day`} className={clsx(paperClass, 'px-3.5 py-3')}>
          {options.length > 1 ? (
            <Segmented
              label="Lines"
              className="mb-2"
              value={shown}
              options={options.map((value) => ({ value, label: names[value] }))}
              onChange={onLines}
            />
          ) : null}
          <ByDay
            ids={ids}
            query={query}
            figure={chosen}
            by={shown}
            channels={channels}
            {...(isByDay(chosen) ? { finalUntil: chosen.coverage.finalUntil } : {})}
            {...(platform ? { platform } : {})}
          />
        </section>
      ) : null}
    </div>
  )
}

/** Its values belong to days, which can be final or not. */
const isByDay = ({ base, name }: InsightsCard) => base === 'inTheseDays' && addsOf(name) === 'sum'

const addsOfCard = (card: InsightsCard | undefined) => (card ? addsOf(card.name) : 'sum')
