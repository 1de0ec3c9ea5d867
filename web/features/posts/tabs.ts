import type { PostState } from '#contract/postStates.ts'

/**
 * The lists of posts, by their part of the URL. One with `own` is a call of its own, the others are lists of statuses.
 */
export const postTabs = [
  {
    tab: 'posts',
    label: 'Posts',
    title: 'Posts',
    states: [
      'NEEDS_APPROVAL',
      'REJECTED',
      'APPROVED',
      'SCHEDULED',
      'QUEUED',
      'PROCESSING',
      'UNCONFIRMED',
      'PUBLISHED',
      'FAILED',
    ],
  },
  { tab: 'draft', label: 'Draft', title: 'Drafts', states: ['DRAFTS'], own: 'drafts' },
  { tab: 'published', label: 'Published', title: 'Published posts', states: ['PUBLISHED'] },
  { tab: 'scheduled', label: 'Scheduled', title: 'Scheduled posts', states: ['SCHEDULED', 'QUEUED', 'PROCESSING'] },
  { tab: 'approved', label: 'Approved', title: 'Approved posts', states: ['APPROVED'] },
  {
    tab: 'pending-approvals',
    label: 'Pending Approvals',
    title: 'Pending approvals',
    states: ['NEEDS_APPROVAL'],
    own: 'me',
  },
  {
    tab: 'sent-for-approvals',
    label: 'Sent for Approvals',
    title: 'Sent for approvals',
    states: ['NEEDS_APPROVAL'],
    own: 'sent',
  },
  { tab: 'all-approvals', label: 'All Approvals', title: 'All approvals', states: ['NEEDS_APPROVAL'], own: 'all' },
  { tab: 'rejected', label: 'Rejected', title: 'Rejected posts', states: ['REJECTED'] },
  { tab: 'failed', label: 'Failed', title: 'Failed posts', states: ['FAILED', 'UNCONFIRMED'] },
  { tab: 'deleted', label: 'Deleted', title: 'Deleted posts', states: ['DELETED'] },
] as const satisfies readonly {
  tab: string
  label: string
  title: string
  states: readonly PostState[]
  own?: 'drafts' | 'me' | 'sent' | 'all'
}[]

export type PostTab = (typeof postTabs)[number]

/** Whether an address names a list of posts. */
export const isPostTab = (name: string): boolean => postTabs.some((one) => one.tab === name)

export function tabOf(name: string): PostTab {
  return postTabs.find((one) => one.tab === name) ?? postTabs[0]
}
