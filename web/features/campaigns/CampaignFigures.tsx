import type { Campaign } from '#contract/campaigns.ts'
import { count } from '#web/lib/format.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { LabelDot } from '#web/ui/LabelDot.tsx'
import { datesOf, standingOf } from './standing.ts'

/** A campaign's facts and the status of its posts. */
export function CampaignFigures({ campaign }: { campaign: Campaign }) {
  const { word, tone } = standingOf(campaign)
  const { all, scheduled, published, failed } = campaign.posts
  const figures = [
    ['Posts', all],
    ['Scheduled', scheduled],
    ['Published', published],
    ['Failed', failed],
  ] as const
  return (
    <div className="grid gap-3.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <LabelDot color={campaign.color} />
        <Badge tone={tone}>{word}</Badge>
        {datesOf(campaign) ? <span className="tnum text-ink-muted">{datesOf(campaign)}</span> : null}
        {campaign.enabled ? null : (
          <span className="text-ink-muted">
            {scheduled > 0
              ? `${count(scheduled, 'post waits', 'posts wait')} until it's enabled.`
              : "Its posts wait until it's enabled."}
          </span>
        )}
        {campaign.completedAt && campaign.state === 'ACTIVE' ? (
          <span className="text-ink-muted">It can't take new posts.</span>
        ) : null}
      </div>
      {campaign.description ? (
        <p dir="auto" className="max-w-180 whitespace-pre-line text-ink-muted">
          {campaign.description}
        </p>
      ) : null}
      <dl className="grid grid-cols-2 gap-2.5 lg:grid-cols-4">
        {figures.map(([name, value]) => (
          <div
            key={name}
            className="flex flex-col-reverse gap-0.5 rounded-lg border border-line bg-surface px-3.5 py-3"
          >
            <dt className="text-sm text-ink-muted">{name}</dt>
            <dd className={`tnum text-xl font-bold ${name === 'Failed' && value > 0 ? 'text-bad' : ''}`}>
              {value.toLocaleString('en')}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
