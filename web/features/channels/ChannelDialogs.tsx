import type { Channel } from '#contract/channels.ts'
import { deleteChannel, disableChannel } from '#contract/channels.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { toast } from '#web/ui/toast.ts'
import { deletionAsked } from './deletions.ts'
import { EditChannelDialog } from './EditChannelDialog.tsx'
import { EnableDialog } from './EnableDialog.tsx'
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
    case 'unlock':
      return <EnableDialog {...rest} verb="Reactivate" />
    case 'enable':
      return <EnableDialog {...rest} />
    case 'delete':
    default:
      return <DeleteDialog {...rest} />
  }
}

type OneProps = Omit<Props, 'action'>

function DisableDialog({ ids, channel, onClose }: OneProps) {
  const disable = useSend(disableChannel, {
    onSuccess: ({ message }) => {
      toast.success(message ?? 'Channel Disabled')
      onClose()
    },
  })
  const posts = channel.scheduledPosts
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Disable ${channel.channelName}?`}
      action="Disable"
      danger={false}
      loading={disable.isPending}
      onConfirm={() => disable.mutate({ params: { ...ids, channelId: channel.channelId } })}
    >
      {posts
        ? `Queued and scheduled posts will be paused: ${count(posts, 'post')} won't be published until you enable this channel again.`
        : `Queued and scheduled posts will be paused.${posts === 0 ? ' This channel has none right now.' : ''}`}
    </ConfirmDialog>
  )
}

function DeleteDialog({ ids, channel, onClose }: OneProps) {
  const remove = useSend(deleteChannel, {
    onSuccess: ({ message }) => {
      deletionAsked(channel)
      toast.success(message ?? 'The deletion request was accepted. It may take a minute or two.')
      onClose()
    },
  })
  const posts = channel.scheduledPosts
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${channel.channelName}?`}
      action="Delete channel"
      loading={remove.isPending}
      onConfirm={() => remove.mutate({ params: { ...ids, channelId: channel.channelId } })}
    >
      <p>
        {posts
          ? `${count(posts, 'scheduled post')} ${posts === 1 ? 'becomes a draft' : 'become drafts'}. `
          : posts === 0
            ? 'This channel has no scheduled posts. '
            : 'Its scheduled posts become drafts. '}
        Published posts stay on {platformName(channel.platformName)} and in your post history.
      </p>
      {platformRules[channel.platformName].promotion ? (
        <p className="mt-2">
          We'll stop any promotions of its posts still running on {platformName(channel.platformName)} first.
        </p>
      ) : null}
      <p className="mt-2">To publish to {channel.handle} again, you'll need to connect it again.</p>
    </ConfirmDialog>
  )
}
