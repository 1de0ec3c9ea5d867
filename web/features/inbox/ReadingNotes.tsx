import { useState } from 'react'
import { adviceFor, sentenceOf } from '#contract/failures/catalog.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { recall, remember } from '#web/lib/remember.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { NoteLine } from './NoteLine.tsx'
import { late, notRead, toReconnect, type ReadChannel } from './reading.ts'

const listed = (channels: readonly ReadChannel[]) =>
  channels.map((one) => `${one.channelName} (${platformName(one.platformName)})`).join(', ')

/** What keeps the inbox from being complete, and the button that fixes it. What was dismissed isn't said again. */
export function ReadingNotes({ channels }: { channels: readonly ReadChannel[] }) {
  const ids = useProjectIds()
  const mayReconnect = useMay([['channel', 'create']]) === 'yes'
  const lacking = toReconnect(channels)
  const delayed = late(channels)
  const key = `inbox.reconnect.${ids.projectId}`
  const which = lacking
    .map(({ channelId }) => channelId)
    .toSorted()
    .join()
  const [dismissed, setDismissed] = useState(() => recall(key))
  const [only] = lacking
  return (
    <>
      {only && dismissed !== which ? (
        <NoteLine
          platforms={[...new Set(lacking.map(({ platformName: platform }) => platform))]}
          title={
            lacking.length === 1
              ? `We can't read all of ${only.channelName}`
              : `We can't read all of ${lacking.length} channels`
          }
          onDismiss={() => {
            remember(key, which)
            setDismissed(which)
          }}
          action={
            mayReconnect ? (
              <ButtonLink
                size="s"
                to="/$orgId/project/$projectId/channels"
                params={ids}
                search={lacking.length === 1 ? { reconnect: only.channelId } : {}}
              >
                {lacking.length === 1 ? 'Reconnect' : 'Channels'}
              </ButtonLink>
            ) : null
          }
        >
          {lacking.length === 1
            ? `${platformName(only.platformName)} needs another permission before we can read all of its conversations.`
            : `Their platforms need another permission before we can read all conversations: ${listed(lacking)}.`}{' '}
          Publishing isn't affected.
        </NoteLine>
      ) : null}
      {channels.map((channel) => (
        <NotRead key={channel.channelId} channel={channel} />
      ))}
      {delayed.map((channel) => (
        <Late key={channel.channelId} channel={channel} />
      ))}
    </>
  )
}

/** What an admin can change, such as a limit for what a platform charges. Said until it's dismissed. */
function NotRead({ channel }: { channel: ReadChannel }) {
  const reason = notRead(channel)
  const key = `inbox.not-read.${channel.channelId}`
  const [dismissed, setDismissed] = useState(() => recall(key))
  if (!reason || dismissed === reason.code) return null
  return (
    <NoteLine
      platforms={[channel.platformName]}
      title={`We can't read comments for ${channel.channelName}`}
      onDismiss={() => {
        remember(key, reason.code)
        setDismissed(reason.code)
      }}
    >
      {`${sentenceOf(reason)} ${adviceFor(reason, 'figures')}`.trim()}
    </NoteLine>
  )
}

function Late({ channel }: { channel: ReadChannel }) {
  const reason = channel.kinds.find((one) => one.state === 'late')?.reason
  return (
    <NoteLine platforms={[channel.platformName]} title={`New conversations of ${channel.channelName} arrive late`}>
      {reason ? `${sentenceOf(reason)} ${adviceFor(reason, 'figures')}`.trim() : "We'll keep trying."}
    </NoteLine>
  )
}
