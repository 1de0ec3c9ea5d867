import { expect, it } from 'vitest'
import { noticeTopics } from '#contract/notices.ts'
import { systemRoles } from '#contract/permissions.ts'
import { seenTopics } from './seenTopics.ts'

it('leaves out the topics whose notifications a role never shows', () => {
  expect(seenTopics(systemRoles.admin.permissions)).toEqual(noticeTopics)
  expect(seenTopics({ inbox: ['view'] })).toEqual([
    'channels',
    'inbox',
    'inbox_assigned',
    'inbox_unassigned',
    'low_reviews',
    'invitations',
    'publishing',
    'plan',
  ])
  expect(seenTopics({ post: ['view'] })).toEqual([
    'failed_posts',
    'channels',
    'approvals',
    'invitations',
    'publishing',
    'plan',
  ])
})
