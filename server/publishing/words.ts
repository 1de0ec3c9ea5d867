import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { PostFailure } from '#contract/postLists.ts'
import type { Reason } from '../platforms/platform.ts'
import type { WaitingFor } from './claim.ts'

/* What people read of a post that did not go out: what happened, and the one thing that mends it. */

/** What the platform is called; its key where only a newer version knows it. */
export function platformLabel(platform: PlatformKey): string {
  return platformRules[platform]?.label ?? platform
}

const actions: Record<PostFailure['class'], PostFailure['action']> = {
  retry: 'retry',
  reconnect: 'reconnect',
  permanent: 'edit',
  unknown: 'none',
  late: 'reschedule',
  plan: 'upgrade',
  paused: 'none',
}

/** A failure of this class as posts keep it, with the one action that mends it. */
export function failureOf(kind: PostFailure['class'], reason: Reason): PostFailure {
  return {
    class: kind,
    reason: reason.text,
    advice: reason.advice,
    action: actions[kind],
    platformCode: reason.platformCode ?? null,
  }
}

type About = { platform: PlatformKey; handle: string; latenessMinutes: number }

const waiting: Record<
  WaitingFor,
  { class: PostFailure['class']; reason: (about: About) => string; advice: (about: About) => string }
> = {
  reconnect: {
    class: 'reconnect',
    reason: ({ handle, platform }) => `${handle} is signed out of ${platformLabel(platform)}.`,
    advice: ({ latenessMinutes }) =>
      `Reconnect the channel. The post goes out then, if that is within ${minutes(latenessMinutes)} of its time.`,
  },
  paused: {
    class: 'paused',
    reason: ({ handle }) => `${handle} is paused.`,
    advice: ({ latenessMinutes }) =>
      `Enable the channel. The post goes out then, if that is within ${minutes(latenessMinutes)} of its time.`,
  },
  plan: {
    class: 'plan',
    reason: () => 'The plan of this organization has ended.',
    advice: ({ latenessMinutes }) =>
      `Choose a plan. The post goes out then, if that is within ${minutes(latenessMinutes)} of its time.`,
  },
  held: {
    class: 'paused',
    // by whoever runs this server, after a restore, or because the organization is being deleted
    reason: () => 'Publishing is held at the moment.',
    advice: ({ latenessMinutes }) =>
      `Nothing to do: the post goes out when publishing goes on, if that is within ${minutes(latenessMinutes)} of its time.`,
  },
}

/** A due post waits, and for what. */
export function waitingWords(why: WaitingFor, about: About): PostFailure {
  const words = waiting[why]
  return failureOf(words.class, { text: words.reason(about), advice: words.advice(about) })
}

/** A post that could not go out within its limit. What kept it says why; otherwise Rookery was not running, or its turn never came: its platform or server took no more. */
export function lateWords(
  about: About,
  why: WaitingFor | null,
  kept: PostFailure | null,
  wasLost: boolean,
): PostFailure {
  const limit = `It was not sent, because more than ${minutes(about.latenessMinutes)} had passed since its time.`
  const advice = 'Choose a new time, or send it now.'
  if (why === 'plan' || kept?.class === 'plan')
    return failureOf('plan', {
      text: `The plan of this organization has ended. ${limit}`,
      advice: `Choose a plan. ${advice}`,
    })
  if (why === 'reconnect')
    return failureOf('reconnect', {
      text: `${waiting.reconnect.reason(about)} ${limit}`,
      advice: `Reconnect the channel. ${advice}`,
    })
  if (why === 'paused' || why === 'held')
    return failureOf('paused', { text: `${waiting[why].reason(about)} ${limit}`, advice })
  if (kept)
    return { ...failureOf('late', { text: `${kept.reason} ${limit}`, advice }), platformCode: kept.platformCode }
  if (wasLost)
    return failureOf('late', {
      text: `${platformLabel(about.platform)} did not take the post when it was sent. ${limit}`,
      advice,
    })
  return failureOf('late', {
    text: `Rookery was not running at its time, or too many other posts were before it. ${limit}`,
    advice,
  })
}

/** What keeps a post, or a part, while the platform works on what it was given. */
export const notReady = (platform: PlatformKey): Reason => ({
  text: `It was still being made ready at ${platformLabel(platform)}.`,
  advice: 'Nothing to do: it goes out as soon as that is done.',
})

/** The answer was lost, and the account is being read. */
export function unconfirmedWords(platform: PlatformKey, reason: Reason): PostFailure {
  return failureOf('unknown', {
    text: `${platformLabel(platform)} did not say whether the post went out. ${reason.text}`,
    advice: 'Rookery is reading the account to find out. It is not sent a second time meanwhile.',
    ...(reason.platformCode === undefined ? {} : { platformCode: reason.platformCode }),
  })
}

/** Under a post that the platform took and that could not be read afterwards. */
export function unreadWarning(platform: PlatformKey, why?: string): string {
  const label = platformLabel(platform)
  return `The post was taken by ${label}, but could not be read back. ${why ?? `${label} does not show it yet.`}`
}

/** Settling came to no answer: a person looks and says. */
export function unsettledWords(platform: PlatformKey, why?: Reason): PostFailure {
  const text = `It could not be found out whether the post went out on ${platformLabel(platform)}.`
  if (why) return failureOf('unknown', { ...why, text: `${text} ${why.text}` })
  return failureOf('unknown', {
    text,
    advice: 'Look at the account, then say here whether it is there, or send it again.',
  })
}

function minutes(count: number): string {
  if (count % 60 === 0) return count === 60 ? '1 hour' : `${count / 60} hours`
  return `${count} minutes`
}

const FIRST_COMMENT = 'first comment'

/** What a part is to people: 'first comment', 'thread item 2' (counted from the post, which is the first). */
export function partName(part: { kind: 'item' | 'comment' | 'playlist'; item: number | null } | undefined): string {
  if (part?.kind === 'item') return `thread item ${(part.item ?? 0) + 1}`
  return part?.kind === 'playlist' ? 'playlist entry' : FIRST_COMMENT
}

/** Under a live post; the words of a first comment are the specification's (002, section 8). */
export const partFailedWords = (name: string, reason: string): string =>
  name === FIRST_COMMENT ? `Failed to create first comment: ${reason}` : `Failed to create ${name}: ${reason}`

/** Under a live post of whose part nobody knows. */
export const partUnsureWords = (name: string, platform: PlatformKey, why?: Reason): string =>
  partFailedWords(
    name,
    `it could not be found out whether ${platformLabel(platform)} has it. ${why ? `${why.text} ${why.advice}` : 'Look at the post there, then say here whether it is there, or send it again.'}`,
  )
