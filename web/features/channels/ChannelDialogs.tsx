import type { Channel } from '#contract/channels.ts'
import { deleteChannel, disableChannel, enableChannel } from '#contract/channels.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { toast } from '#web/ui/toast.ts'
import { channelChanges } from './changes.ts'
import { EditChannelDialog } from './EditChannelDialog.tsx'
import { ReconnectDialog } from './ReconnectDialog.tsx'
import type { RowAction } from './state.ts'

type Props = { ids: ProjectIds; channel: Channel; action: RowAction; onClose: () => void }

/** The dialog behind each action of a channel's row. */
export function ChannelDialog({ action, ...rest }: Props) {
  switch (action) {
    case 'edit':
      return <EditChannelDialog {...rest} />
    case 'reconnect':
    case 'reactivate':
      return <ReconnectDialog {...rest} />
    case 'disable':
      return <DisableDialog {...rest} />
    case 'enable':
      return <EnableDialog {...rest} />
    case 'delete':
    default:
      return <DeleteDialog {...rest} />
  }
}

type OneProps = Omit<Props, 'action'>

function useRowAction(endpoint: typeof disableChannel | typeof enableChannel | typeof deleteChannel, { ids, channel, onClose }: OneProps, done: string) {
  const send = useSend(endpoint, {
    refreshes: channelChanges,
    onSuccess: ({ message }) => {
      toast.success(message ?? done)
      onClose()
    },
  })
  return { loading: send.isPending, onConfirm: () => send.mutate({ params: { ...ids, channelId: channel.channelId } }) }
}

function DisableDialog(props: OneProps) {
  const { channel, onClose } = props
  const confirm = useRowAction(disableChannel, props, 'Channel disabled')
  const posts = channel.scheduledPosts
  return (
    <ConfirmDialog open onOpenChange={onClose} title={`Disable ${channel.channelName}?`} action="Disable" danger={false} {...confirm}>
      {posts > 0
        ? `Queued and scheduled posts will be paused: ${count(posts, 'post')} of this channel will not go out until you enable it again.`
        : 'Queued and scheduled posts will be paused. This channel has none right now.'}
    </ConfirmDialog>
  )
}

function EnableDialog(props: OneProps) {
  const { channel, onClose } = props
  const confirm = useRowAction(enableChannel, props, 'Channel enabled')
  const posts = channel.scheduledPosts
  return (
    <ConfirmDialog open onOpenChange={onClose} title={`Enable ${channel.channelName}?`} action="Enable" danger={false} {...confirm}>
      {posts > 0
        ? `${count(posts, 'paused post')} of this channel ${posts === 1 ? 'goes' : 'go'} on as planned. What became more than ${channel.latenessMinutes} minutes late meanwhile waits for you.`
        : 'Posts can be scheduled and published to this channel again. It has none waiting.'}
    </ConfirmDialog>
  )
}

function DeleteDialog(props: OneProps) {
  const { channel, onClose } = props
  const confirm = useRowAction(deleteChannel, props, 'Channel deleted successfully')
  const posts = channel.scheduledPosts
  return (
    <ConfirmDialog open onOpenChange={onClose} title={`Delete ${channel.channelName}?`} action="Delete channel" {...confirm}>
      <p>
        {posts > 0 ? `${count(posts, 'scheduled post')} ${posts === 1 ? 'becomes a draft' : 'become drafts'}. ` : 'No posts are scheduled to it. '}
        Published posts stay on {platformName(channel.platformName)} and in the history here.
      </p>
      <p className="mt-2">Rookery forgets the connection; to publish to {channel.handle} again, it has to be connected anew.</p>
    </ConfirmDialog>
  )
}
