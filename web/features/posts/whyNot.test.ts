import { describe, expect, it } from 'vitest'
import { canDo, postStates, type PostAction } from '#contract/postStates.ts'
import { whyNot } from './whyNot.ts'

const all = { create: true, edit: true, move: true, publish: true, remove: true, reconnect: true }
const none = { create: false, edit: false, move: false, publish: false, remove: false, reconnect: false }
const now = new Date('2026-11-20T09:00:00Z')
const actions: PostAction[] = ['edit', 'reschedule', 'sendNow', 'retry', 'delete', 'label']

describe("an action that can't be taken", () => {
  it("has a reason in every state that doesn't allow it", () => {
    for (const status of postStates)
      for (const action of actions)
        if (!canDo(action, status))
          expect(whyNot(action, { status, dueAt: '2026-11-20T10:00:00.000Z', failure: null }, all, now)).toMatch(/\.$/)
  })

  it('is refused by role where the state would allow it', () => {
    expect(whyNot('delete', { status: 'SCHEDULED', dueAt: null, failure: null }, none, now)).toBe(
      "Your role doesn't allow this.",
    )
    expect(whyNot('delete', { status: 'SCHEDULED', dueAt: null, failure: null }, all, now)).toBeUndefined()
  })

  it('names the role first where both the role and the status refuse', () => {
    expect(whyNot('retry', { status: 'SCHEDULED', dueAt: null, failure: null }, none, now)).toBe(
      "Your role doesn't allow this.",
    )
    expect(whyNot('reschedule', { status: 'REJECTED', dueAt: null, failure: null }, none, now)).toBe(
      "Your role doesn't allow this.",
    )
  })

  it('leaves a draft to the composer', () => {
    expect(whyNot('sendNow', { status: 'DRAFTS', dueAt: null, failure: null }, all, now)).toBe(
      'Open the draft to publish it.',
    )
  })
  it('is moving or sending a post that is being sent already; deleting it is still possible', () => {
    const sending = { status: 'SCHEDULED', dueAt: '2026-11-20T09:00:42.000Z', failure: null } as const
    expect(whyNot('reschedule', sending, all, now)).toBe('This post is being published. Wait a few seconds.')
    expect(whyNot('sendNow', sending, all, now)).toBe('This post is being published. Wait a few seconds.')
    expect(whyNot('delete', sending, all, now)).toBeUndefined()
    expect(whyNot('reschedule', { ...sending, dueAt: '2026-11-20T09:01:00.000Z' }, all, now)).toBeUndefined()
  })
})
