import type { Channel } from '#contract/channels.ts'
import type { Tone } from '#web/ui/tones.ts'

/** A channel's state: it determines what people do about it. */
export type ChannelState =
  | 'connected'
  | 'ending'
  | 'disabled'
  | 'locked'
  | 'disconnected'
  | 'expired'
  | 'lacking'
  | 'deleting'

type Facts = Pick<Channel, 'enabled' | 'planLocked' | 'status' | 'deleting' | 'signInEndsAt'> & {
  missing: readonly string[]
}

/** How many days before its end a sign-in's expiry is shown. */
const WARNED_DAYS = 7
const DAY = 86_400_000

/** A pause by a person is shown before anything from the platform: nothing is published in the meantime. */
export function stateOf(channel: Facts, now: Date): ChannelState {
  if (channel.deleting) return 'deleting'
  if (!channel.enabled) return channel.planLocked ? 'locked' : 'disabled'
  if (channel.status === 'TOKEN_EXPIRED') return 'expired'
  if (channel.status === 'DISCONNECTED') return 'disconnected'
  if (channel.signInEndsAt !== null && Date.parse(channel.signInEndsAt) - now.getTime() <= WARNED_DAYS * DAY)
    return 'ending'
  return channel.missing.length > 0 ? 'lacking' : 'connected'
}

/** Whether only a new sign-in restores the channel, or keeps it. */
export function needsSignIn(channel: Facts, now: Date): boolean {
  const state = stateOf(channel, now)
  return state === 'ending' || state === 'expired' || state === 'disconnected'
}

export const stateLook: Record<ChannelState, { word: string; tone: Tone }> = {
  connected: { word: 'Connected', tone: 'ok' },
  ending: { word: 'Expires soon', tone: 'wait' },
  lacking: { word: 'Permissions missing', tone: 'wait' },
  disabled: { word: 'Channel Disabled', tone: 'neutral' },
  locked: { word: 'Channel Disabled', tone: 'neutral' },
  disconnected: { word: 'Disconnected', tone: 'bad' },
  expired: { word: 'Token expired', tone: 'bad' },
  deleting: { word: 'Deleting', tone: 'neutral' },
}

/** "Sign-in ends in 3 days": full days, then hours. */
export function signInEnds(endsAt: string, now: Date): string {
  const left = Date.parse(endsAt) - now.getTime()
  if (left <= 0) return 'Sign-in expired'
  const [value, unit] = left >= DAY ? [Math.floor(left / DAY), 'day'] : [Math.ceil(left / 3_600_000), 'hour']
  return `Sign-in expires in ${value} ${unit}${value === 1 ? '' : 's'}`
}

export type RowAction = 'edit' | 'enable' | 'disable' | 'reconnect' | 'reactivate' | 'unlock' | 'delete'

/**
 * What can be done to a channel in its state, the fixing action first. Enable resumes what a person paused; Reactivate
 * does the same for a paused channel whose connection is gone as well, by connecting it again; Reconnect renews a
 * connection that is gone or about to end. One that the plan locked is reactivated within what the plan has room for
 * (`unlock`). Nothing can be done to a channel that is being deleted.
 */
export function actionsFor(channel: Facts, now: Date): readonly RowAction[] {
  switch (stateOf(channel, now)) {
    case 'deleting':
      return []
    case 'disabled':
      return [channel.status === 'CONNECTED' ? 'enable' : 'reactivate', 'edit', 'delete']
    case 'locked':
      return [channel.status === 'CONNECTED' ? 'unlock' : 'reactivate', 'edit', 'delete']
    case 'connected':
      return ['edit', 'disable', 'delete']
    case 'ending':
    case 'lacking':
    case 'disconnected':
    case 'expired':
    default:
      return ['reconnect', 'edit', 'disable', 'delete']
  }
}
