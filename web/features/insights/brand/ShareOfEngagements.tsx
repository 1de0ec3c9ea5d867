import type { BrandVoice } from '#contract/analytics/brand.ts'
import { valueText } from '#contract/values.ts'
import { lookAt } from '#charts/style.ts'
import { count } from '#web/lib/format.ts'
import { ChartFigure } from '#web/ui/charts/ChartFigure.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'

const OWN = 'Your channels'

/** "Rye (3 posts), 42.10%": with its share, if it's known; "Rye (can't be read)". */
const shareName = ({
  name,
  posts,
  sharePercent,
}: Pick<BrandVoice['parts'][number], 'name' | 'posts' | 'sharePercent'>): string =>
  `${name} (${posts === null ? "can't be read" : count(posts, 'post')})${sharePercent === null ? '' : `, ${valueText(sharePercent, 'percent')}`}`

/** Engagements on posts of the range on one platform: of own channels and of each competitor. */
export function ShareOfEngagements({ voice, days }: { voice: BrandVoice; days: number }) {
  const { platform, parts } = voice
  const named = parts.map(({ competitorId, name, ...part }) => ({ ...part, name: competitorId === null ? OWN : name }))
  const partly = named.filter(({ name, posts, knownDays }) => name !== OWN && posts !== null && knownDays < days)
  return (
    <div className="grid gap-1.5">
      <h3 className="font-bold">{platformName(platform)}</h3>
      <ChartFigure
        label={`Engagements on ${platformName(platform)} posts published in these days`}
        shape="rows"
        data={{
          axis: { kind: 'names', keys: named.map(shareName) },
          series: [
            { key: 'engagements', name: 'Engagements', values: named.map((one) => one.engagements), look: lookAt(0) },
          ],
        }}
      />
      {partly.length > 0 ? (
        <p className="text-sm text-pretty text-ink-muted">
          {named.some(({ posts, sharePercent }) => posts !== null && sharePercent === null)
            ? 'Without shares in percent, because more days are known of some than of others. '
            : ''}
          {partly.map(({ name, knownDays }) => `${name}: posts of ${knownDays} of ${days} days are known.`).join(' ')}
        </p>
      ) : null}
    </div>
  )
}
