import type { Channel } from '#contract/channels.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Banner } from '#web/ui/Banner.tsx'
import { GateNotice } from '#web/ui/GateNotice.tsx'
import { useDraftsOf, type DraftsOfChannel } from './useDrafts.ts'

/**
 * The result of the first drafts, on the wizard's next screen. Shows nothing if no channel was connected, or if no
 * model writes drafts.
 */
export function DraftsNote({
  ids,
  channels,
  ai,
}: {
  ids: ProjectIds
  channels: readonly Channel[]
  /** Whether a model is set up. */ ai: boolean
}) {
  return ai && channels.length > 0 ? <Written ids={ids} channels={channels} /> : null
}

function Written({ ids, channels }: { ids: ProjectIds; channels: readonly Channel[] }) {
  const all = useDraftsOf(ids, channels)
  const gate = all.find((one) => one.gate)?.gate
  const drafts = all.reduce((sum, one) => sum + one.drafts, 0)
  const lines = all.map(wordsOf).filter((line) => line !== undefined)
  if (all.length === 0 || (drafts === 0 && lines.length === 0)) return null
  if (drafts === 0 && gate) return <GateNotice gate={gate} more="You can continue without first drafts." />
  return drafts > 0 ? (
    <Banner
      tone="ok"
      live
      title={`${count(drafts, 'AI-generated draft')} ${drafts === 1 ? 'is' : 'are'} waiting for you on the dashboard`}
    >
      {lines.join(' ')}
    </Banner>
  ) : (
    <Banner tone="info" live title={all.some((one) => one.running) ? 'Writing drafts' : 'No first drafts'}>
      {lines.join(' ')}
    </Banner>
  )
}

function wordsOf({ channel: { channelName }, drafts, running, problem, read }: DraftsOfChannel): string | undefined {
  if (drafts > 0) return read === undefined ? undefined : `We read ${count(read, 'post')} from ${channelName}.`
  if (running) return `You'll find the drafts for ${channelName} on your dashboard.`
  if (read === 0) return `${channelName} has no posts to learn from yet.`
  return problem ? `${channelName}: ${problem}` : undefined
}
