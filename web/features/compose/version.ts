import type { Channel } from '#contract/channels.ts'
import { takenBy, type Taken } from './checks.ts'
import type { ComposerState } from './composerReducer.ts'
import type { Scope, Variant } from './doc.ts'

/** The version of the post on screen, and its channels. */
export type Version = {
  /** The channels of the post. */
  chosen: readonly Channel[]
  scope: Scope
  /** The channel whose version is shown; undefined for all channels. */
  channel: Channel | undefined
  channelId: string | undefined
  /** The channels whose settings are shown: that one, or all. */
  channels: readonly Channel[]
  /** The chosen channels that publish this text. */
  sharing: readonly Channel[]
  /** Those, or while there are none the project's first channel: its rules count and color the text. */
  counted: readonly Channel[]
  /** What `counted` takes. */
  taken: readonly Taken[]
}

/**
 * Which version is shown: the opened one, or of a single remaining channel with its own text or time that one, so that
 * what people see is what is published.
 */
export function versionOf(
  { doc, view, links }: Pick<ComposerState, 'doc' | 'view' | 'links'>,
  channels: readonly Channel[],
): Version {
  const chosen = channels.filter(({ channelId }) => doc.channelIds.includes(channelId))
  const [only, ...others] = chosen
  const isAlone = only !== undefined && others.length === 0 && isOwn(doc.variants[only.channelId])
  const channel = isAlone ? only : chosen.find(({ channelId }) => channelId === view.scope)
  const sharing = channel ? [channel] : chosen.filter(({ channelId }) => !doc.variants[channelId]?.items)
  // if every channel has its own text, the shared one is counted for all of them
  const counted = sharing.length > 0 ? sharing : chosen.length > 0 ? chosen : channels.slice(0, 1)
  return {
    chosen,
    scope: channel?.channelId ?? 'all',
    channel,
    channelId: channel?.channelId,
    channels: channel ? [channel] : chosen,
    sharing: counted.filter((one) => chosen.includes(one)),
    counted,
    taken: takenBy(counted, doc.variants, links),
  }
}

const isOwn = (variant: Variant | undefined): boolean =>
  variant?.items !== undefined || variant?.firstComment !== undefined || variant?.plan !== undefined
