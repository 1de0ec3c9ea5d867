import { lazy, type ComponentType } from 'react'
import type { Channel } from '#contract/channels.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ProjectIds } from '#web/lib/project.ts'

export type ConnectFormProps = {
  ids: ProjectIds
  /** The channel to reconnect; absent for a new one. */
  channel?: Channel | undefined
  onConnected: (channel: Channel) => void
  onCancel: () => void
}

/** How each platform is connected. A platform without a form is not set up yet, and says so. */
export const connectForms: Partial<Record<PlatformKey, ComponentType<ConnectFormProps>>> = {
  bluesky: lazy(async () => ({ default: (await import('./bluesky/ConnectBlueskyForm.tsx')).ConnectBlueskyForm })),
}

export function canConnect(platform: PlatformKey): boolean {
  return connectForms[platform] !== undefined
}
