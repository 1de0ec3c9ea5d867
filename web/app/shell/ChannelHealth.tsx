import { Link } from '@tanstack/react-router'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { allChannels, type Channel } from '#contract/channels.ts'
import { useDeletionNews } from '#web/features/channels/deletions.ts'
import { needsSignIn, signInEnds, stateOf } from '#web/features/channels/state.ts'
import { count } from '#web/lib/format.ts'
import { useNow } from '#web/lib/now.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

/** Channels that need a person, with the posts that wait for them. Nothing while all is well. */
export function ChannelHealth() {
  const ids = useProjectIds()
  const now = useNow()
  const channels = useCall(allChannels, { params: ids }, { handles: true })
  useDeletionNews(channels.data?.channels)
  const mayConnect = useMay([['channel', 'create']]) === 'yes'
  const sick = channels.data?.channels.filter((channel) => needsSignIn(channel, now)) ?? []
  const [only] = sick
  if (!only) return null
  return (
    <div className="flex items-start gap-2 rounded-md bg-wait-soft px-2.5 py-2 text-sm leading-snug">
      <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0 text-wait" />
      <span className="min-w-0">
        {sick.length === 1 ? (
          <One channel={only} now={now} mayConnect={mayConnect} />
        ) : (
          <Several channels={sick} mayConnect={mayConnect} />
        )}{' '}
        {mayConnect ? (
          <Link
            to="/$orgId/project/$projectId/channels"
            params={ids}
            search={sick.length === 1 ? { reconnect: only.channelId } : {}}
            className="font-bold underline underline-offset-3"
          >
            Reconnect
          </Link>
        ) : (
          'Ask a project admin to reconnect.'
        )}
      </span>
    </div>
  )
}

function One({ channel, now, mayConnect }: { channel: Channel; now: Date; mayConnect: boolean }) {
  const { channelName, signInEndsAt } = channel
  const waiting = channel.scheduledPosts ?? 0
  if (signInEndsAt && stateOf(channel, now) === 'ending') {
    return (
      <>
        <b className="font-bold">{channelName}</b>:{' '}
        {`${signInEnds(signInEndsAt, now)}${waiting > 0 ? `, ${count(waiting, 'post')} at risk` : ''}.`}
      </>
    )
  }
  return (
    <>
      <b className="font-bold">{mayConnect ? '1 channel needs attention.' : '1 channel is signed out.'}</b>{' '}
      {waiting > 0 ? `${count(waiting, 'post')} ${waiting === 1 ? 'is' : 'are'} waiting for ${channelName}.` : ''}
    </>
  )
}

function Several({ channels, mayConnect }: { channels: readonly Channel[]; mayConnect: boolean }) {
  const waiting = channels.reduce((sum, channel) => sum + (channel.scheduledPosts ?? 0), 0)
  return (
    <>
      <b className="font-bold">
        {mayConnect ? `${channels.length} channels need attention.` : `${channels.length} channels are signed out.`}
      </b>{' '}
      {waiting > 0 ? `${count(waiting, 'post')} ${waiting === 1 ? 'is' : 'are'} waiting for them.` : ''}
    </>
  )
}
