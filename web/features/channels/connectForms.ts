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

/** The platforms whose accounts are connected by what a person types here. */
export const connectForms: Partial<Record<PlatformKey, ComponentType<ConnectFormProps>>> = {
  bluesky: lazy(async () => ({ default: (await import('./bluesky/ConnectBlueskyForm.tsx')).ConnectBlueskyForm })),
}

/** What the other way is called, where a platform's own page comes first. */
export const formNames: Partial<Record<PlatformKey, string>> = { bluesky: 'Use an app password instead' }
