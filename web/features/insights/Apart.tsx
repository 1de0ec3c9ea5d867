import { cardTitle, figureText } from '#contract/analytics/labels.ts'
import type { insightsSummary } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { FigureChange } from '#web/ui/Change.tsx'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { coverageSentences } from './coverageText.ts'
import { Definition } from './Definition.tsx'

type Props = { apart: ReplyOf<typeof insightsSummary>['apart']; than: string }

/** Platforms whose terms forbid adding their figures to others', each on its own and in its own terms. */
export function Apart({ apart, than }: Props) {
  return apart.map(({ platform, figures }) => (
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
        aren&apos;t part of any total above.
      </p>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2.5 sm:grid-cols-4">
        {figures.map((figure) => {
          const { base, name, value } = figure
          const title = cardTitle(base, name, platform)
          return (
            <div key={`${base} ${name}`} className="min-w-0">
              <dt className="flex items-center gap-0.5 text-sm text-ink-muted">
                <span className="truncate">{title}</span>
                <Definition
                  base={base}
                  name={name}
                  title={title}
                  details={value === null ? [] : coverageSentences(figure, than)}
                  postsOnly={figure.subject === 'post'}
                  platforms={[platform]}
                />
              </dt>
              <dd className="flex flex-wrap items-baseline gap-x-2">
                <span className="tnum text-lg font-bold">{figureText(name, value)}</span>
                <FigureChange figure={figure} than={than} />
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  ))
}
