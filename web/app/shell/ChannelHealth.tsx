import { Link } from '@tanstack/react-router'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { allChannels, type Channel } from '#contract/channels.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

/** Channels that need a person, with the posts that wait for them. Nothing while all is well. */
export function ChannelHealth() {
  const ids = useProjectIds()
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  const sick = channels.data?.channels.filter(needsPerson) ?? []
  if (sick.length === 0) return null
  const waiting = sick.reduce((sum, channel) => sum + channel.scheduledPosts, 0)
  const names = sick.length === 1 ? sick[0]?.channelName : 'them'
  return (
    <div className="flex items-start gap-2 rounded-md bg-wait-soft px-2.5 py-2 text-sm leading-snug">
      <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-wait" />
      <span className="min-w-0">
        <b className="font-bold">{sick.length === 1 ? '1 channel needs you.' : `${sick.length} channels need you.`}</b> {waiting > 0 ? `${count(waiting, 'post')} ${waiting === 1 ? 'waits' : 'wait'} for ${names}. ` : ''}
        <Link to="/$orgId/project/$projectId/channels" params={ids} search={sick.length === 1 && sick[0] ? { reconnect: sick[0].channelId } : {}} className="font-bold underline underline-offset-3">
          Reconnect
        </Link>
      </span>
    </div>
  )
}

function needsPerson(channel: Channel): boolean {
  return channel.enabled && channel.status !== 'CONNECTED'
}
