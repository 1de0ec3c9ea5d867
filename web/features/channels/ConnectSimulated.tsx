import FlaskConical from 'lucide-react/icons/flask-conical'
import type { Channel } from '#contract/channels.ts'
import { connectSimulated } from '#contract/connect.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { Button } from '#web/ui/Button.tsx'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { toast } from '#web/ui/toast.ts'

/** Development: another simulated account with one click. Only shown if the server simulates its platforms. */
export function ConnectSimulated({
  ids,
  platform,
  disabled,
  onConnected,
}: {
  ids: ProjectIds
  platform: PlatformKey
  disabled: boolean
  onConnected?: ((channel: Channel) => void) | undefined
}) {
  const send = useSend(connectSimulated, {
    onSuccess: ({ channel }) => {
      toast.success(`${channel.channelName} connected, simulated`)
      onConnected?.(channel)
    },
  })
  return (
    <Button
      disabled={disabled}
      loading={send.isPending}
      icon={<FlaskConical size={14} aria-hidden />}
      aria-label={`Simulated account, ${platformName(platform)}`}
      onClick={() => send.mutate({ params: { ...ids, platform } })}
    >
      Simulated
    </Button>
  )
}
