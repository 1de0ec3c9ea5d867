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

/** What is asked before leaving for the page of a federated platform: the `domain` of the call. */
export type DomainPrompt = { label: string; placeholder: string; hint: string; wanted: string | undefined }
export const domainPrompts: Partial<Record<PlatformKey, DomainPrompt>> = {
  mastodon: { label: 'Server', placeholder: 'mastodon.social', hint: 'The part after the last @ of your address.', wanted: 'Enter the server of your account, such as mastodon.social' },
  bluesky: { label: 'Handle or server', placeholder: 'name.bsky.social', hint: 'Empty means an account on bsky.social.', wanted: undefined },
}
