import type { Channel } from '#contract/channels.ts'
import { count } from '#web/lib/format.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { ChannelName } from './ChannelName.tsx'
import { ConnectAccount } from './ConnectAccount.tsx'

/** "Reconnect Bluesky": renews a channel's connection; waiting posts continue. */
export function ReconnectDialog({
  ids,
  channel,
  variant,
  onClose,
}: {
  ids: ProjectIds
  channel: Channel | undefined
  /** A different way than it was connected. */ variant?: string | undefined
  onClose: () => void
}) {
  const waiting = channel?.scheduledPosts ?? 0
  return (
    <Dialog
      open={channel !== undefined}
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
      title={channel ? `Reconnect ${platformName(channel.platformName)}` : ''}
    >
      {channel ? (
        <div className="grid gap-4">
          <div className="grid gap-2 rounded-md bg-sunken p-3 inset-ring inset-ring-line">
            <ChannelName channel={channel} />
            {channel.problem ? <p className="text-sm text-ink-muted">{channel.problem}</p> : null}
            {waiting > 0 ? (
              <p className="text-sm text-ink-muted">{`${count(waiting, 'post')} ${waiting === 1 ? 'is' : 'are'} waiting for it.`}</p>
            ) : null}
          </div>
          <ConnectAccount
            platform={channel.platformName}
            ids={ids}
            channel={channel}
            variant={variant}
            returnTo="channels"
            onConnected={onClose}
            onCancel={onClose}
          />
        </div>
      ) : null}
    </Dialog>
  )
}
