import { describe, expect, it } from 'vitest'
import type { Permissions } from './permissions.ts'
import { mayOnPost } from './postRights.ts'
import { postStates, type PostAction } from './postStates.ts'

const user: Permissions = { post: ['view', 'create', 'needs_approval'] }
const editor: Permissions = { post: ['view', 'create', 'edit', 'delete', 'publish', 'needs_approval'] }
const changes: PostAction[] = ['edit', 'reschedule', 'delete', 'label']

describe('what a role allows with one post', () => {
  it('lets an author who may only create change the post until it is approved', () => {
    for (const status of postStates)
      for (const action of changes)
        expect(mayOnPost(action, { held: user, status, isAuthor: true }), `${action} ${status}`).toBe(
          ['DRAFTS', 'NEEDS_APPROVAL', 'REJECTED'].includes(status),
        )
  })

  it('lets nobody who may only create change the posts of others, or publish any', () => {
    for (const status of postStates) {
      for (const action of changes) expect(mayOnPost(action, { held: user, status, isAuthor: false })).toBe(false)
      for (const action of ['sendNow', 'retry', 'settle'] as const)
        expect(mayOnPost(action, { held: user, status, isAuthor: true })).toBe(false)
    }
  })

  it('needs the right to publish to move what is on its way', () => {
    const withoutPublishing: Permissions = { post: ['view', 'create', 'edit'] }
    const facts = { status: 'SCHEDULED', isAuthor: true } as const
    expect(mayOnPost('reschedule', { held: withoutPublishing, ...facts })).toBe(false)
    expect(mayOnPost('edit', { held: withoutPublishing, ...facts })).toBe(true)
    expect(mayOnPost('reschedule', { held: editor, ...facts })).toBe(true)
  })

  it('lets a former author who has lost the right to create change nothing', () => {
    expect(mayOnPost('edit', { held: { post: ['view'] }, status: 'DRAFTS', isAuthor: true })).toBe(false)
  })
})
