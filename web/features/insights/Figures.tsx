import { clsx } from 'clsx'
import { useRef, type ReactNode } from 'react'
import type { InsightsFilter, InsightsRange } from '#contract/analytics/filter.ts'
import { addsOf } from '#contract/analytics/labels.ts'
import type { InsightsCard, MissingChannels } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { usePainted } from '#web/lib/afterPaint.ts'
import { AfterPaint } from '#web/ui/AfterPaint.tsx'
import { paperClass } from '#web/ui/Panel.tsx'
import { FoldedPanel } from '#web/ui/FoldedPanel.tsx'
import { Segmented } from '#web/ui/Segmented.tsx'
import { Button } from '#web/ui/Button.tsx'
import { AllFigures } from './AllFigures.tsx'
import { ByDay } from './ByDay.tsx'
import { firstFigures, inOrder } from './cardOrder.ts'
import { Cards } from './Cards.tsx'
import { ChartToCome } from './CardsToCome.tsx'
import type { NamedChannels } from './useChannels.ts'
import { useChosenFigure, useView, type Lines } from './useFigures.ts'
import { worthListing } from './missingLines.ts'
import { useSparks } from './useSparks.ts'
import { shownReachDays } from './reach/reachWords.ts'
import { untotaledOf } from './untotaled.ts'
import { moreThanDaysText } from './twoBases.ts'
import { useUsual } from './useUsual.ts'

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
  /** Always shows every figure. */ whole?: boolean
  /** What has no total over these days. */ beside?: ReactNode
}

/** The figure of the chart: with its coverage, if it has a total. */
type Drawn = Pick<InsightsCard, 'base' | 'subject' | 'name' | 'holds'> & Partial<Pick<InsightsCard, 'coverage'>>

const names: Record<Lines, string> = { total: 'Total', platform: 'By platform', channel: 'By channel' }

/** Totals as cards, and the chosen one by day. */
export function Figures({
  ids,
  label,
  cards,
  missing,
  query,
  channels,
  range,
  lines,
  platform,
  whole = false,
  beside,
}: Props) {
  const [wanted, choose] = useChosenFigure()
  const { lines: by, onLines, all, onAll } = useView()
  const has = (card: InsightsCard) => card.base === wanted?.base && card.name === wanted.name
  // the first card, unless the address names another
  const told = inOrder(cards).filter(({ value }) => value !== null)
  const isWhole = whole || all
  const chart = useRef<HTMLElement>(null)
  const untotaled = platform ? untotaledOf(platform) : []
  const isUntotaled =
    wanted?.base === 'inTheseDays' && untotaled.some(({ base, name }) => base === wanted.base && name === wanted.name)
  const chosen: Drawn | undefined = isUntotaled
    ? { base: 'inTheseDays', subject: 'channel', name: wanted.name, holds: [] }
    : (told.find(has) ?? told[0])
  const moreThanDays = moreThanDaysText(inOrder(cards), platform)
  const isPainted = usePainted()
  const withUsual = useUsual(ids, cards, { query, range, isAsked: isPainted })
  const sparks = useSparks(ids, query, isPainted ? firstFigures.inTheseDays : [], platform)
  // what can't be added has no total by day
  const options: readonly Lines[] = isUntotaled ? ['channel'] : ['total', ...lines]
  const shown = options.includes(by) ? by : options[0]
  const every = (
    <AfterPaint>
      <AllFigures
        ids={ids}
        // a platform's own screen has all that it can report
        cards={platform ? cards : worthListing(cards, missing)}
        missing={missing}
        channels={channels}
        range={range}
        chosen={chosen}
        onChoose={(figure) => {
          choose(figure)
          // the chart is above the list
          chart.current?.scrollIntoView({ block: 'nearest' })
        }}
        untotaled={untotaled}
        channelIds={query.channelIds}
        reachDays={platform && beside ? shownReachDays(platform, query) : []}
        {...(platform ? { platform } : {})}
      />
    </AfterPaint>
  )
  return (
    <div className="grid gap-2.5">
      <Cards
        ids={ids}
        cards={withUsual}
        missing={missing}
        channels={channels}
        range={range}
        chosen={chosen}
        onChoose={choose}
        all={isWhole}
        sparks={sparks}
        {...(platform ? { platform } : {})}
      />
      {moreThanDays === undefined ? null : <p className="text-sm text-pretty text-ink-muted">{moreThanDays}</p>}
      {beside}
      {chosen?.name === 'engagementRate' ? (
        <p className={clsx(paperClass, 'px-3.5 py-3 text-pretty text-ink-muted')}>
          The engagement rate isn't shown by day: it's worked out from all of these days together.
        </p>
      ) : chosen && shown ? (
        <AfterPaint fallback={<ChartToCome />}>
          <section ref={chart} aria-label={`${label} by day`} className={clsx(paperClass, 'px-3.5 py-3')}>
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
              {...(chosen.coverage && isByDay(chosen) ? { finalUntil: chosen.coverage.finalUntil } : {})}
              {...(platform ? { platform } : {})}
            />
          </section>
        </AfterPaint>
      ) : null}
      {whole ? (
        <FoldedPanel title="All figures" level={3} name="all-figures">
          {every}
        </FoldedPanel>
      ) : (
        <Button size="s" tone="quiet" className="justify-self-start" aria-expanded={all} onClick={() => onAll(!all)}>
          {all ? 'Show fewer figures' : 'Show all figures'}
        </Button>
      )}
      {!whole && all ? every : null}
    </div>
  )
}

/** Its values belong to days, which can be final or not. */
const isByDay = ({ base, name }: Drawn) => base === 'inTheseDays' && addsOf(name) === 'sum'
