import type { PlatformKey } from '#contract/platforms/rules.ts'

/** A channel whose conversations are stored. */
export type InboxChannel = { orgId: string; projectId: string; channelId: string; platform: PlatformKey }
