import type { AdditionalDetails } from '#contract/content.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

export type SeededChannel = {
  channelId: string
  platform: PlatformKey
  remoteId: string
  name: string
  handle: string
  details: AdditionalDetails
  /** What the IDs of its posts begin with, if that isn't the account. */
  parent?: string
  /** Only published on until then: it's disconnected. */
  lostAt?: Date
}
export type SeededProject = {
  orgId: string
  projectId: string
  zone: string
  channels: readonly SeededChannel[]
  people: readonly string[]
  images: readonly string[]
}
