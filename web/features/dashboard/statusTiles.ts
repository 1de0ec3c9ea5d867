import type { PostState } from '#contract/postStates.ts'

/** The statuses whose posts Content Status shows, as in the URL; each is a tab of the posts as well. */
export const shownStatuses = ['scheduled', 'published', 'failed', 'draft'] as const
export type ShownStatus = (typeof shownStatuses)[number]

type Facts = {
  label: string
  /** What the tile counts and lists; the first is its icon. */ states: readonly [PostState, ...PostState[]]
  /** The text if there are none. */ none: string
  about: string
  all: string
}
export const statusFacts: Record<ShownStatus, Facts> = {
  scheduled: {
    label: 'Scheduled',
    states: ['SCHEDULED', 'QUEUED', 'PROCESSING'],
    none: 'Nothing scheduled',
    about: 'Your upcoming posts appear here.',
    all: 'All scheduled posts',
  },
  published: {
    label: 'Published',
    states: ['PUBLISHED'],
    none: 'Nothing published yet',
    about: 'Your latest published posts appear here.',
    all: 'All published posts',
  },
  failed: {
    label: 'Failed',
    states: ['FAILED'],
    none: 'No failed posts',
    about: "Posts that couldn't be published appear here.",
    all: 'All failed posts',
  },
  draft: {
    label: 'Drafts',
    states: ['DRAFTS'],
    none: 'No drafts',
    about: "Posts you've started writing appear here.",
    all: 'All drafts',
  },
}
