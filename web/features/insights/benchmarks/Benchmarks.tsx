import Download from 'lucide-react/icons/download'
import { baseText, cardTitle } from '#contract/analytics/labels.ts'
import type { insightsChannels, InsightsChannel } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds, useProjectZone } from '#web/lib/project.ts'
import { saveFile } from '#web/lib/saveFile.ts'
import { AsOf } from '#web/ui/AsOf.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { ChosenFigure } from '../Cards.tsx'
import { spanText } from '../insightsSearch.ts'
import { MissingList } from '../MissingList.tsx'
import { countMissing, missingFrom } from '../missingLines.ts'
import type { NamedChannels } from '../useChannels.ts'
import { BenchmarkTable } from './BenchmarkTable.tsx'
import { benchmarkCsv, medianText } from './benchmarkWords.ts'
import { groupsOf, type BenchmarkGroup } from './benchmarks.ts'

type Props = {
  reply: ReplyOf<typeof insightsChannels>
  figure: ChosenFigure
  /** All channels in one order, as far as that's allowed. */ together: boolean
  /** By channel; undefined if the figure has no values by day. */
  sparks: ReadonlyMap<string, readonly (number | null)[]> | undefined
  channels: NamedChannels
}

/** More channels without the figure are counted per platform instead of named. */
const MOST_NAMED = 20

/** The channels that have the figure, in their order and against the median, and those that lack it. */
export function Benchmarks({ reply, figure, together, sparks, channels }: Props) {
  const zone = useProjectZone()
  const { base, name } = figure
  const { range, asOf, mediansOf } = reply
  const title = cardTitle(base, name)
  const nameOf = ({ channelId, channelName }: InsightsChannel) => channels.get(channelId)?.shownName ?? channelName
  const groups = groupsOf(reply, figure, { together })
  const download = () => saveFile('benchmarking.csv', benchmarkCsv(groups, figure, nameOf), 'text/csv;charset=utf-8')
  return (
    <>
      <Panel
        title={spanText(range)}
        aside={
          <span className="flex items-center gap-2">
            {asOf ? <AsOf at={asOf} zone={zone} /> : null}
            <IconButton
              size="s"
              label={`Download ${title} of all channels as CSV`}
              icon={<Download size={14} />}
              onClick={download}
            />
          </span>
        }
      >
        <p className="text-pretty text-ink-muted">
          {cardTitle('inTheseDays', name)} {baseText(base, name)}, the highest first. The change is against the same
          channel&apos;s own past.
        </p>
      </Panel>
      {groups.map((group) => {
        const of = group.platform ? platformName(group.platform) : 'All channels'
        const note = medianText(group, name, mediansOf)
        return (
          <Panel key={of} title={of}>
            {note === null ? null : <p className="text-sm text-pretty text-ink-muted">{note}</p>}
            <BenchmarkTable
              label={`${title}: ${group.platform ? of : of.toLowerCase()}`}
              title={title}
              group={group}
              range={range}
              sparks={sparks}
              nameOf={nameOf}
            />
          </Panel>
        )
      })}
      <Without reply={reply} groups={groups} figure={figure} channels={channels} />
    </>
  )
}

/** The channels that lack the figure, each with its reason. */
function Without({
  reply,
  groups,
  figure,
  channels,
}: Pick<Props, 'reply' | 'figure' | 'channels'> & { groups: BenchmarkGroup[] }) {
  const ids = useProjectIds()
  const has = new Set(groups.flatMap(({ rows }) => rows.map(({ channel }) => channel.channelId)))
  const without = missingFrom(reply.missing, figure)
    .map((one) => ({ ...one, channelIds: one.channelIds.filter((id) => !has.has(id)) }))
    .filter(({ channelIds }) => channelIds.length > 0)
  const total = countMissing(without)
  if (total === 0) return null
  const each = without.flatMap((one) => one.channelIds.map((id) => ({ ...one, channelIds: [id] })))
  return (
    <Panel title={`${count(total, 'channel')} without this figure`}>
      <MissingList ids={ids} missing={total > MOST_NAMED ? without : each} channels={channels} />
    </Panel>
  )
}
