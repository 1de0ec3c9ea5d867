import type { BrandVoice } from '#contract/analytics/brand.ts'
import { lookAt } from '#charts/style.ts'
import { count } from '#web/lib/format.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'

const OWN = 'Your channels'

/** Engagements on posts of the range on one platform: of own channels and of each competitor. */
export function ShareOfEngagements({ voice, days }: { voice: BrandVoice; days: number }) {
  const { platform, parts } = voice
  const named = parts.map(({ competitorId, name, ...part }) => ({ ...part, name: competitorId === null ? OWN : name }))
  const partly = named.filter(({ name, knownDays }) => name !== OWN && knownDays < days)
  return (
    <div className="grid gap-1.5">
      <h3 className="font-bold">{platformName(platform)}</h3>
      <ChartFigure
        label={`Engagements on ${platformName(platform)} posts published in these days`}
        shape="rows"
        data={{
          axis: { kind: 'names', keys: named.map(({ name, posts }) => `${name} (${count(posts, 'post')})`) },
          series: [
            { key: 'engagements', name: 'Engagements', values: named.map((one) => one.engagements), look: lookAt(0) },
          ],
        }}
      />
      {partly.length > 0 ? (
        <p className="text-sm text-pretty text-ink-muted">
          {partly.map(({ name, knownDays }) => `${name}: posts of ${knownDays} of ${days} days are known.`).join(' ')}
        </p>
      ) : null}
    </div>
  )
}
