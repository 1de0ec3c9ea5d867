import { because, type Reason } from '#contract/failures/catalog.ts'
import type { StoredReason } from '#contract/failures/define.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { PostFailure } from '#contract/postLists.ts'

/* What posts store about why they weren't published: the reason, and the one thing that a person can do about it. */

/** Why a due delivery has to wait: its channel is signed out or paused, the plan ended, or publishing is paused. */
export type WaitingFor = 'reconnect' | 'paused' | 'plan' | 'held'

const actions: Record<PostFailure['class'], PostFailure['action']> = {
  retry: 'retry',
  reconnect: 'reconnect',
  permanent: 'edit',
  unknown: 'none',
  late: 'reschedule',
  plan: 'upgrade',
  paused: 'none',
}

/** A failure of this class as posts store it, with the action that fixes it. */
export function failureOf(
  kind: PostFailure['class'],
  reason: StoredReason,
  action: PostFailure['action'] = actions[kind],
): PostFailure {
  return { class: kind, action, ...reason }
}

type Subject = { platform: PlatformKey; handle: string; latenessMinutes: number }

const waitingClass: Record<WaitingFor, PostFailure['class']> = {
  reconnect: 'reconnect',
  paused: 'paused',
  plan: 'plan',
  held: 'paused',
}

const waitingReason: Record<WaitingFor, (subject: Subject) => Reason> = {
  reconnect: ({ platform, handle, latenessMinutes: minutes }) =>
    because('channel-signed-out', { handle, platform: platformLabel(platform), minutes }),
  paused: ({ handle, latenessMinutes: minutes }) => because('channel-paused', { handle, minutes }),
  plan: ({ latenessMinutes: minutes }) => because('plan-ended', { minutes }),
  held: ({ latenessMinutes: minutes }) => because('publishing-paused', { minutes }),
}

/** A due post is waiting, and what for. */
export const waitingFailure = (why: WaitingFor, subject: Subject): PostFailure =>
  failureOf(waitingClass[why], waitingReason[why](subject))

/**
 * A post missed its lateness limit. The reason is what delayed it; without one, Rookery wasn't running, or the
 * platform or server had no capacity.
 */
export function lateFailure(
  subject: Subject,
  why: WaitingFor | null,
  kept: PostFailure | null,
  wasLost: boolean,
): PostFailure {
  const cause = kept?.class === 'plan' ? 'plan' : why
  const late = (reason: StoredReason, fix: 'reconnect' | 'plan' | 'nothing' = 'nothing'): Reason =>
    because('too-late', { minutes: subject.latenessMinutes, because: reason, fix })
  if (cause !== null)
    return failureOf(
      waitingClass[cause],
      late(waitingReason[cause](subject), cause === 'plan' || cause === 'reconnect' ? cause : 'nothing'),
    )
  if (kept)
    return failureOf('late', { ...late({ code: kept.code, params: kept.params }), platformCode: kept.platformCode })
  const reason = wasLost
    ? because('not-accepted-in-time', { platform: platformLabel(subject.platform) })
    : because('not-running')
  return failureOf('late', late(reason))
}

/** The answer was lost, and we're reading the account. */
export const unconfirmedFailure = (platform: PlatformKey, reason: Reason): PostFailure =>
  failureOf('unknown', {
    ...because('unconfirmed', { platform: platformLabel(platform), because: reason }),
    platformCode: reason.platformCode,
  })

/** Shown with a post that the platform accepted but that couldn't be read back. */
export const unreadWarning = (platform: PlatformKey, why?: Reason): Reason =>
  because('unread', { platform: platformLabel(platform), because: why })

/** Reading the account gave no answer: a person looks and decides. */
export const unresolvedFailure = (platform: PlatformKey, why?: Reason): PostFailure =>
  failureOf('unknown', {
    ...because('unresolved', { platform: platformLabel(platform), because: why }),
    platformCode: why?.platformCode,
  })
