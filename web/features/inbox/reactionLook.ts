import type { ReactionKind } from '#contract/inbox/terms.ts'

/** Reactions as their platforms call them. DEFAULT is the only one that the platform has. */
const words: Record<ReactionKind, string> = {
  DEFAULT: 'Like',
  LIKE: 'Like',
  DISLIKE: 'Dislike',
  PRAISE: 'Celebrate',
  EMPATHY: 'Love',
  INTEREST: 'Insightful',
  APPRECIATION: 'Support',
  ENTERTAINMENT: 'Funny',
}
export const reactionWord = (kind: ReactionKind): string => words[kind]

export const reactedText = (kind: ReactionKind): string =>
  kind === 'DEFAULT' || kind === 'LIKE' ? 'You liked this' : `You reacted with ${words[kind]}`
