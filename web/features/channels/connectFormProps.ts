import type { Channel } from '#contract/channels.ts'
import type { ProjectIds } from '#web/lib/project.ts'

export type ConnectFormProps = {
  ids: ProjectIds
  /** The channel to reconnect; absent for a new one. */
  channel?: Channel | undefined
  onConnected: (channel: Channel) => void
  onCancel: () => void
}
