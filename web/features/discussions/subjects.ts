import type { Discussion } from '#contract/discussions.ts'

const kinds = { post: 'Post', conversation: 'Conversation', campaign: 'Campaign' } as const

/** "Post: Rye is back". */
export const subjectWords = ({ kind, name }: NonNullable<Discussion['about']>): string =>
  name ? `${kinds[kind]}: ${name}` : kinds[kind]
