import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import type { KindRules } from '#contract/platforms/inboxRules.ts'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

const HOUR_MS = 3_600_000

/** What the platform lets tools do with conversations of the kind; undefined where they can't even read them. */
const rulesOf = (platform: PlatformKey, kind: ConversationKind): KindRules | undefined =>
  inboxRules[platform].kinds[kind]

/** The last moment at which the platform takes an answer to something received then; null where there is none. */
export function answerUntil(platform: PlatformKey, kind: ConversationKind, receivedAt: Date | null): Date | null {
  const last = rulesOf(platform, kind)?.reply?.windows?.at(-1)
  return last && receivedAt ? new Date(receivedAt.getTime() + last.hours * HOUR_MS) : null
}

/** The moment from which the platform takes an answer only from a person; null where it makes no such difference. */
export function byPersonFrom(platform: PlatformKey, kind: ConversationKind, receivedAt: Date | null): Date | null {
  const windows = rulesOf(platform, kind)?.reply?.windows ?? []
  const place = windows.findIndex(({ byPersonOnly }) => byPersonOnly)
  if (place === -1 || !receivedAt) return null
  return new Date(receivedAt.getTime() + (windows[place - 1]?.hours ?? 0) * HOUR_MS)
}

/**
 * The window, in the platform's own terms, in which an answer at this moment is sent; null where the platform has none, and
 * `over` after the last.
 */
export function windowAt(
  platform: PlatformKey,
  kind: ConversationKind,
  receivedAt: Date | null,
  at: Date,
): string | null {
  const windows = rulesOf(platform, kind)?.reply?.windows ?? []
  if (windows.length === 0) return null
  const waited = receivedAt ? at.getTime() - receivedAt.getTime() : Number.POSITIVE_INFINITY
  return windows.find(({ hours }) => waited < hours * HOUR_MS)?.as ?? 'over'
}
