import type { PostState } from '#contract/postStates.ts'

/** What has a place in time. A draft has one once it was given a time; deleted posts are gone. */
export const calendarStates = ['DRAFTS', 'SCHEDULED', 'PROCESSING', 'UNCONFIRMED', 'PUBLISHED', 'FAILED'] as const satisfies readonly PostState[]
