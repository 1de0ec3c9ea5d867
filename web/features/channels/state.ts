import type { Channel } from '#contract/channels.ts'
import type { Tone } from '#web/ui/tones.ts'

/** How a channel stands: what the person does about it follows from this. */
export type ChannelState = 'connected' | 'disabled' | 'disconnected' | 'expired'

/** A pause by a person is shown before anything the platform says: nothing is sent meanwhile. */
export function stateOf(channel: Pick<Channel, 'enabled' | 'status'>): ChannelState {
  if (!channel.enabled) return 'disabled'
  if (channel.status === 'TOKEN_EXPIRED') return 'expired'
  return channel.status === 'CONNECTED' ? 'connected' : 'disconnected'
}

export const stateLook: Record<ChannelState, { word: string; tone: Tone }> = {
  connected: { word: 'Connected', tone: 'ok' },
  disabled: { word: 'Channel Disabled', tone: 'neutral' },
  disconnected: { word: 'Disconnected', tone: 'bad' },
  expired: { word: 'Token expired', tone: 'bad' },
}

export type RowAction = 'edit' | 'enable' | 'disable' | 'reconnect' | 'reactivate' | 'delete'

/**
 * What can be done to a channel in its state. Enable resumes what a person paused; Reactivate does the same for a
 * paused channel whose connection is gone as well, by connecting it anew; Reconnect renews a connection.
 */
export function actionsFor(channel: Pick<Channel, 'enabled' | 'status'>): readonly RowAction[] {
  const alive = channel.status === 'CONNECTED'
  if (!channel.enabled) return alive ? ['edit', 'enable', 'delete'] : ['edit', 'reactivate', 'delete']
  return alive ? ['edit', 'reconnect', 'disable', 'delete'] : ['reconnect', 'edit', 'disable', 'delete']
}
