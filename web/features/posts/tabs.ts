import type { PostState } from '#contract/postStates.ts'

/** The lists of posts that exist today, by their part of the address. Later features add theirs. */
export const postTabs = [
  { tab: 'posts', label: 'Posts', states: ['SCHEDULED', 'QUEUED', 'PROCESSING', 'UNCONFIRMED', 'PUBLISHED', 'FAILED'] },
  { tab: 'draft', label: 'Draft', states: ['DRAFTS'] },
  { tab: 'published', label: 'Published', states: ['PUBLISHED'] },
  { tab: 'scheduled', label: 'Scheduled', states: ['SCHEDULED', 'QUEUED', 'PROCESSING'] },
  { tab: 'failed', label: 'Failed', states: ['FAILED', 'UNCONFIRMED'] },
  { tab: 'deleted', label: 'Deleted', states: ['DELETED'] },
] as const satisfies readonly { tab: string; label: string; states: readonly PostState[] }[]

export type PostTab = (typeof postTabs)[number]

export function tabOf(name: string): PostTab {
  return postTabs.find((one) => one.tab === name) ?? postTabs[0]
}
