import type { Reason } from './platform.ts'

/*
 * What people are told to do about a refusal. An adapter names the remedy, as a code; what it means depends on what was being done:
 * nothing is tried again by itself when a person connects a channel, and there is no post to change when figures are read.
 */

/** What was being done when the platform refused. */
export const occasions = ['post', 'edit', 'remove', 'connect', 'renewal', 'lookup', 'addition', 'figures'] as const
export type Occasion = (typeof occasions)[number]

/** Passing trouble; too many calls; something that the platform doesn't take. */
export const remedies = ['retry', 'slow', 'change'] as const
export type Remedy = (typeof remedies)[number]

const IN_A_FEW_MINUTES = 'Try again in a few minutes.'
const BY_ITSELF = "We'll try again automatically."

const words: Record<Remedy, Record<Occasion, string>> = {
  retry: {
    post: BY_ITSELF,
    edit: IN_A_FEW_MINUTES,
    remove: IN_A_FEW_MINUTES,
    connect: IN_A_FEW_MINUTES,
    renewal: BY_ITSELF,
    lookup: IN_A_FEW_MINUTES,
    addition: IN_A_FEW_MINUTES,
    figures: "We'll try again with the next update.",
  },
  slow: {
    post: "We'll try again as soon as the platform allows it.",
    edit: IN_A_FEW_MINUTES,
    remove: IN_A_FEW_MINUTES,
    connect: IN_A_FEW_MINUTES,
    renewal: "We'll try again as soon as the platform allows it.",
    lookup: IN_A_FEW_MINUTES,
    addition: IN_A_FEW_MINUTES,
    figures: "We'll try again with the next update.",
  },
  change: {
    post: 'Change the post and send it again.',
    edit: 'Change the post and save it again.',
    remove: 'Delete it on the platform itself.',
    connect: 'Start again, or connect another account.',
    renewal: 'Reconnect the channel.',
    lookup: 'Try other words.',
    addition: 'Change what you entered, or add it on the platform itself.',
    figures: "You don't have to do anything. We'll try again with the next update.",
  },
}

/** The remedy of a refusal, with the advice for a post that is being published. */
export const advised = (remedy: Remedy): Pick<Reason, 'advice' | 'remedy'> => ({ advice: words[remedy].post, remedy })

/** The reason with the advice that fits what was being done. A reason without a remedy has advice of its own, which always fits. */
export const reasonFor = (reason: Reason, occasion: Occasion): Reason =>
  reason.remedy === undefined ? reason : { ...reason, advice: words[reason.remedy][occasion] }
