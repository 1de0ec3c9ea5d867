import { describe, expect, it } from 'vitest'
import { canDo, postStates, transitions, type PostAction } from './postStates.ts'

const actions: readonly PostAction[] = ['edit', 'reschedule', 'sendNow', 'retry', 'delete', 'settle', 'label']

describe('what a person can do to a post', () => {
  it.each([
    ['DRAFTS', ['edit', 'reschedule', 'sendNow', 'delete', 'label']],
    ['NEEDS_APPROVAL', ['edit', 'reschedule', 'delete', 'label']],
    ['REJECTED', ['edit', 'delete', 'label']],
    ['APPROVED', ['edit', 'reschedule', 'sendNow', 'delete', 'label']],
    ['SCHEDULED', ['edit', 'reschedule', 'sendNow', 'delete', 'label']],
    ['QUEUED', ['edit', 'reschedule', 'sendNow', 'delete', 'label']],
    ['PROCESSING', []],
    ['UNCONFIRMED', ['delete', 'settle', 'label']],
    ['PUBLISHED', ['delete', 'label']],
    ['FAILED', ['edit', 'reschedule', 'sendNow', 'retry', 'delete', 'label']],
    ['DELETED', []],
  ] as const)('%s: %j', (state, allowed) => {
    expect(actions.filter((action) => canDo(action, state))).toEqual(allowed)
  })
})

describe('moves between states', () => {
  it('name only states, each once, and no state is a dead end unless intended', () => {
    for (const state of postStates) {
      expect(new Set(transitions[state]).size).toBe(transitions[state].length)
      expect(transitions[state].every((to) => postStates.includes(to))).toBe(true)
      expect(transitions[state].length).toBeGreaterThan(0)
    }
  })

  it('lead into every state', () => {
    const reached = new Set(Object.values(transitions).flat())
    expect(postStates.filter((state) => !reached.has(state))).toEqual([])
  })

  it('let everything be deleted that may be deleted, and restored', () => {
    for (const state of postStates.filter((state) => canDo('delete', state))) {
      expect(transitions[state]).toContain('DELETED')
      expect(transitions.DELETED).toContain(state)
    }
  })

  it('never lead from published back to being sent', () => {
    expect(transitions.PUBLISHED).toEqual(['DELETED'])
  })
})
