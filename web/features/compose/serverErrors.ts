import { SCHEDULE } from '#contract/constants.ts'
import { z } from 'zod'
import type { ApiFailure } from '#web/lib/failure.ts'
import { FALLBACK_MESSAGE } from '#web/lib/onFailure.ts'

/** A refusal from the server, sorted to where the composer shows it. */
export type Refusal = {
  /** Messages by channel id, about its content. */
  byChannel: Record<string, string[]>
  schedule: string | undefined
  workflow: string | undefined
  cap: { limit: number; channelIds: string[] } | undefined
  /** Messages without a field. */
  other: string | undefined
}

/** The refusals of an edited post; it has no number. */
const partOfPost = /^(contents|additionalDetails|firstComment|postType|channelId|mentions)/

const CapMeta = z.object({ limit: z.number(), channels: z.array(z.object({ channelId: z.string() })) })

/** `channels.1.contents.0.text` belongs to the second channel that was sent; an edited post has only one. */
export function sortRefusal(failure: ApiFailure, channelIds: readonly string[]): Refusal {
  const refusal: Refusal = {
    byChannel: {},
    schedule: undefined,
    workflow: failure.errors['workflowId']?.[0],
    cap: undefined,
    other: undefined,
  }
  for (const [field, messages] of Object.entries(failure.errors)) {
    const index = /^channels\.(\d+)\./.exec(field)?.[1]
    // a recurrence's refusal is shown at its wrong part, for all channels or one
    if (/^(channels\.\d+\.)?schedule(\.|$)/.test(field)) refusal.schedule ??= messages[0]
    else if (index !== undefined || partOfPost.test(field)) {
      const channelId = channelIds[index === undefined ? 0 : Number(index)]
      if (channelId) (refusal.byChannel[channelId] ??= []).push(...messages)
    }
  }
  if (failure.code === 'TIME_PASSED') refusal.schedule ??= failure.detail ?? 'This time has passed. Choose a later one.'
  if (failure.code === 'SCHEDULE_CAP') {
    const meta = CapMeta.safeParse(failure.meta)
    refusal.cap = meta.success
      ? { limit: meta.data.limit, channelIds: meta.data.channels.map((channel) => channel.channelId) }
      : { limit: SCHEDULE.cap.limited, channelIds: Object.keys(refusal.byChannel) }
    refusal.byChannel = {}
  }
  const placed =
    Object.keys(refusal.byChannel).length > 0 ||
    refusal.workflow !== undefined ||
    refusal.schedule !== undefined ||
    refusal.cap !== undefined
  if (!placed) refusal.other = Object.values(failure.errors)[0]?.[0] ?? failure.detail ?? FALLBACK_MESSAGE
  return refusal
}
