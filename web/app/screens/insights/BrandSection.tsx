import CalendarRange from 'lucide-react/icons/calendar-range'
import MessageCircle from 'lucide-react/icons/message-circle'
import { insightsBrand, TALK_MOST_DAYS, type BrandTalk } from '#contract/analytics/brand.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { lookAt } from '#charts/style.ts'
import { Authors } from '#web/features/insights/brand/Authors.tsx'
import { HashtagSearch } from '#web/features/insights/brand/HashtagSearch.tsx'
import { ShareOfEngagements } from '#web/features/insights/brand/ShareOfEngagements.tsx'
import { Sounds } from '#web/features/insights/brand/Sounds.tsx'
import { TalkByPlatform } from '#web/features/insights/brand/TalkByPlatform.tsx'
import { CardsToCome } from '#web/features/insights/CardsToCome.tsx'
import { FilteredAway } from '#web/features/insights/FilteredAway.tsx'
import { spanText, thanText } from '#web/features/insights/insightsSearch.ts'
import { useFilters } from '#web/features/insights/useFigures.ts'
import { daysBetween } from '#web/lib/dates.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'
import { FigureChange } from '#web/ui/Change.tsx'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { FoldedPanel } from '#web/ui/FoldedPanel.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loaded } from '#web/ui/Loaded.tsx'
import { Panel, paperClass } from '#web/ui/Panel.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { DeniedState, EmptyState } from '#web/ui/states.tsx'

const kinds = [
  { key: 'mentions', name: 'Mentions' },
  { key: 'comments', name: 'Comments' },
  { key: 'reviews', name: 'Reviews' },
] as const
const numbers = new Intl.NumberFormat('en')

/** What people say about the brand, how it sounds, who says most, and its share of engagements beside competitors. */
export default function BrandSection() {
  const ids = useProjectIds()
  const { query } = useFilters()
  const found = useCall(insightsBrand, { params: ids, query }, { keepPrevious: true, handles: true })
  return (
    <>
      <Loaded query={found} skeleton={<CardsToCome />}>
        {({ talk, noTalk, voice, range }) => (
          <>
            {talk ? <Talk talk={talk} range={range} /> : null}
            {noTalk === 'role' ? (
              <DeniedState title="You don't see what people write">
                Your role doesn't include comments and mentions in the inbox. Ask a project admin.
              </DeniedState>
            ) : null}
            {noTalk === 'tooLong' ? (
              <EmptyState icon={<CalendarRange size={20} />} title={`Choose at most ${TALK_MOST_DAYS} days`}>
                What people write is counted for at most {TALK_MOST_DAYS} days, compared with as many.
              </EmptyState>
            ) : null}
            <Panel title="Share of engagements" className="gap-3!">
              <p className="text-sm text-pretty text-ink-muted">
                Reactions, comments and shares on posts published in these days, as far as each platform tells them of
                everyone. Platforms don't tell how often other brands are mentioned.
              </p>
              {voice.length === 0 ? (
                <EmptyState
                  title="Nothing to compare with"
                  action={
                    <ButtonLink
                      to="/$orgId/project/$projectId/insights/$"
                      params={{ ...ids, _splat: 'competitor-analysis' }}
                    >
                      Competitors
                    </ButtonLink>
                  }
                >
                  Add competitors to see your share of the engagements beside theirs.
                </EmptyState>
              ) : (
                voice.map((one) => (
                  <ShareOfEngagements key={one.platform} voice={one} days={daysBetween(range.from, range.to) + 1} />
                ))
              )}
            </Panel>
          </>
        )}
      </Loaded>
      <HashtagSearch />
    </>
  )
}

function Talk({ talk, range }: { talk: BrandTalk; range: InsightsRange }) {
  const { total, days, platforms, sounds, authors, apart, notJudged } = talk
  if (platforms.length === 0)
    return (
      <FilteredAway
        icon={<MessageCircle size={20} />}
        title="Nobody wrote in these days"
        text="Mentions, comments and reviews of your channels are counted here as they arrive in the inbox."
      />
    )
  const left = apart.filter((platform) => platforms.some((row) => row.platform === platform))
  const silent = notJudged.filter((platform) => platforms.some((row) => row.platform === platform))
  return (
    <>
      <Panel title={spanText(range)} className="gap-3!">
        <div className="grid gap-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
          <section aria-label="Mentions, comments and reviews" className={`${paperClass} grid content-start px-4 py-3`}>
            <p className="text-sm text-ink-muted">Mentions, comments and reviews</p>
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="tnum text-2xl font-bold">{numbers.format(total.value)}</span>
              <FigureChange
                // it never has a color, whatever it's called
                figure={{ ...total, name: 'comments', changePoints: null }}
                than={thanText(range.compare)}
              />
            </p>
            {total.before !== null && range.compare ? (
              <p className="text-sm text-ink-muted">
                {numbers.format(total.before)} in {spanText(range.compare)}.{' '}
                {total.changePercent === null
                  ? total.whyNotComparable === 'differentChannels'
                    ? "No channel was connected all that time, so a percentage wouldn't say anything."
                    : ''
                  : 'The change is of channels that were connected all that time, on days that are over.'}
              </p>
            ) : null}
          </section>
          <section aria-label="Sentiment" className={`${paperClass} grid content-start gap-2.5 px-4 py-3`}>
            <p className="text-sm text-ink-muted">Conversations by how they sound</p>
            <Sounds of={sounds} label="Conversations by how they sound" />
          </section>
        </div>
        <ChartFigure
          label="Mentions, comments and reviews by day"
          data={{
            axis: { kind: 'days', keys: days.map(({ date }) => date) },
            adds: 'sum',
            series: kinds
              .filter(({ key }) => key !== 'reviews' || days.some((day) => day.reviews > 0))
              .map(({ key, name }, place) => ({
                key,
                name,
                values: days.map((day) => day[key]),
                look: lookAt(place),
              })),
          }}
        />
        <p className="text-sm text-pretty text-ink-muted">
          {[
            left.length > 0
              ? `${namesOf(left)} isn't in these totals: its terms don't allow adding it to other platforms.`
              : '',
            silent.length > 0
              ? `What people write on ${namesOf(silent)} isn't judged here, by ${silent.length === 1 ? 'its' : 'their'} terms.`
              : '',
          ]
            .filter(Boolean)
            .join(' ')}
        </p>
      </Panel>
      <FoldedPanel title="By platform" name="brand-by-platform">
        <TalkByPlatform platforms={platforms} />
      </FoldedPanel>
      <Panel title="Who wrote most">
        <Authors authors={authors} />
      </Panel>
    </>
  )
}

const namesOf = (platforms: Parameters<typeof platformName>[0][]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(platforms.map(platformName))
