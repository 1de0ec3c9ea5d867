import type { PostState } from '#contract/postStates.ts'

/** What has a place in time; drafts are listed apart and deleted posts are gone. */
export const calendarStates = ['SCHEDULED', 'PROCESSING', 'UNCONFIRMED', 'PUBLISHED', 'FAILED'] as const satisfies readonly PostState[]
