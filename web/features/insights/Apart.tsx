import type { InsightsRange } from '#contract/analytics/filter.ts'
import { cardTitle, figureText } from '#contract/analytics/labels.ts'
import type { insightsSummary } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { FigureChange } from '#web/ui/Change.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { coverageSentences, coverageText } from '#contract/analytics/coverageText.ts'
import { Definition } from './Definition.tsx'
import { thanText } from './insightsSearch.ts'
import { moreThanDaysText } from './twoBases.ts'
import { withFigures } from './withFigures.ts'

type Platforms = ReplyOf<typeof insightsSummary>['apart']

/** Platforms whose terms forbid adding their figures to others', each on its own and in its own terms. */
export function Apart({ apart, range }: { apart: Platforms; range: InsightsRange }) {
  return withFigures(apart).map(({ platform, figures }) => (
    <section
      key={platform}
      aria-label={platformName(platform)}
      className="grid gap-2.5 rounded-lg border border-line bg-surface px-3.5 py-3"
    >
      <h3 className="flex items-center gap-2 font-semibold">
        <PlatformIcon platform={platform} size={18} named />
        {platformName(platform)}
      </h3>
      <p className="text-sm text-pretty text-ink-muted">
        {platformName(platform)}&apos;s terms don&apos;t allow adding its figures to those of other platforms, so they
        aren&apos;t in the totals above. Only the number of published posts includes {platformName(platform)}, because
        we count posts ourselves.
      </p>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2.5 sm:grid-cols-4">
        {figures.map((figure) => {
          const { base, name, value } = figure
          const title = cardTitle(base, name, platform)
          const covers = coverageText(figure, range)
          return (
            <div key={`${base} ${name}`} className="min-w-0">
              <dt className="flex items-start gap-0.5 text-sm text-ink-muted">
                <span className="min-w-0 pt-0.5 break-words">{title}</span>
                <Definition
                  base={base}
                  name={name}
                  title={title}
                  details={() => (value === null ? [] : coverageSentences(figure, range))}
                  postsOnly={figure.subject === 'post'}
                  platforms={[platform]}
                />
              </dt>
              <dd className="flex flex-wrap items-baseline gap-x-2">
                <span className="tnum text-lg font-bold">{figureText(name, value)}</span>
                <FigureChange figure={figure} than={thanText(range.compare)} />
              </dd>
              {covers === undefined ? null : <dd className="text-xs text-pretty text-ink-muted">{covers}</dd>}
            </div>
          )
        })}
      </dl>
      <MoreThanDays text={moreThanDaysText(figures, platform)} />
    </section>
  ))
}

const MoreThanDays = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : <p className="text-sm text-pretty text-ink-muted">{text}</p>
