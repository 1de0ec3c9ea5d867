import { because, type Reason } from '#contract/failures/catalog.ts'
import type { StoredReason } from '#contract/failures/define.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { PostFailure } from '#contract/postLists.ts'

/* What posts keep of why they were not published: the reason, and the one thing that a person can do. */

/** Why a due delivery has to wait: its channel signed out, paused by a person, the plan ended, or publishing held. */
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

/** A failure of this class as posts keep it, with the one action that solves it. */
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

/** A due post waits, and for what. */
export const waitingFailure = (why: WaitingFor, subject: Subject): PostFailure =>
  failureOf(waitingClass[why], waitingReason[why](subject))

/** A post that could not be published within its limit. What kept it says why; otherwise Rookery was not running, or its turn never came: its platform or server took no more. */
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

/** The answer was lost, and the account is being read. */
export const unconfirmedFailure = (platform: PlatformKey, reason: Reason): PostFailure =>
  failureOf('unknown', {
    ...because('unconfirmed', { platform: platformLabel(platform), because: reason }),
    platformCode: reason.platformCode,
  })

/** Under a post that the platform took and that could not be read afterwards. */
export const unreadWarning = (platform: PlatformKey, why?: Reason): Reason =>
  because('unread', { platform: platformLabel(platform), because: why })

/** Reading the account gave no answer: a person looks and says. */
export const unresolvedFailure = (platform: PlatformKey, why?: Reason): PostFailure =>
  failureOf('unknown', {
    ...because('unresolved', { platform: platformLabel(platform), because: why }),
    platformCode: why?.platformCode,
  })
