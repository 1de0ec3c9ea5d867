import { describe, expect, it } from 'vitest'
import { submitMode, workflowOf } from './submitMode.ts'

const publisher = {
  mayPublish: 'yes',
  maySend: 'yes',
  status: undefined,
  wantsApproval: false,
  approvals: 'open',
} as const

describe('how a post leaves the composer', () => {
  it('is published by its plan if nobody wants an approval, whatever has loaded', () => {
    for (const approvals of ['unread', 'failed', 'closed', 'open'] as const)
      expect(submitMode({ ...publisher, approvals })).toMatchObject({
        mode: 'publish',
        readiness: 'known',
        skipsWorkflow: false,
      })
  })

  it("never bypasses a chosen workflow while it's loading, or if that failed", () => {
    const chosen = { ...publisher, wantsApproval: true }
    expect(submitMode(chosen)).toMatchObject({ mode: 'approve', readiness: 'known' })
    expect(submitMode({ ...chosen, approvals: 'unread' })).toMatchObject({ mode: 'approve', readiness: 'loading' })
    expect(submitMode({ ...chosen, approvals: 'failed' })).toMatchObject({ mode: 'approve', readiness: 'failed' })
  })

  it("says so if a chosen workflow can't be used", () => {
    expect(submitMode({ ...publisher, wantsApproval: true, approvals: 'closed' })).toMatchObject({
      mode: 'publish',
      readiness: 'known',
      skipsWorkflow: true,
    })
    expect(submitMode({ ...publisher, wantsApproval: true, maySend: 'no' })).toMatchObject({
      mode: 'publish',
      skipsWorkflow: true,
    })
  })

  it('tells people that they can only write drafts once everything has loaded', () => {
    const writer = { ...publisher, mayPublish: 'no' } as const
    expect(submitMode({ ...writer, approvals: 'unread' })).toMatchObject({ mode: 'approve', readiness: 'loading' })
    expect(submitMode({ ...writer, approvals: 'failed' })).toMatchObject({ mode: 'approve', readiness: 'failed' })
    expect(submitMode(writer)).toMatchObject({ mode: 'approve', readiness: 'known' })
    expect(submitMode({ ...writer, approvals: 'closed' })).toMatchObject({ mode: 'draft', readiness: 'known' })
    expect(submitMode({ ...writer, maySend: 'no', approvals: 'unread' })).toMatchObject({
      mode: 'draft',
      readiness: 'known',
    })
    expect(submitMode({ ...writer, mayPublish: 'loading' })).toMatchObject({ readiness: 'loading' })
  })

  it('keeps an edited post waiting for approval, and sends a rejected one again', () => {
    expect(submitMode({ ...publisher, status: 'NEEDS_APPROVAL', mayPublish: 'no' })).toMatchObject({
      mode: 'publish',
      readiness: 'known',
    })
    expect(submitMode({ ...publisher, status: 'REJECTED' })).toMatchObject({ mode: 'approve', needsApproval: true })
    expect(submitMode({ ...publisher, status: 'SCHEDULED', wantsApproval: true, approvals: 'closed' })).toMatchObject({
      mode: 'publish',
      skipsWorkflow: false,
    })
  })
})

describe('the workflow', () => {
  const [first, preset] = [
    { workflowId: 'w1', isDefault: false },
    { workflowId: 'w2', isDefault: true },
  ]

  it.each([
    ['is the chosen one', [first, preset], 'w1', true, 'w1'],
    ['is none where none is needed', [first, preset], null, false, null],
    ["is the project's default where one is needed", [first, preset], null, true, 'w2'],
    ['is the only one where one is needed', [first], null, true, 'w1'],
    ["is nobody's guess where the chosen one was deleted", [first, preset], 'gone', true, null],
    ['is the chosen one until workflows are known', undefined, 'w1', true, 'w1'],
  ] as const)('%s', (_, workflows, chosen, needed, expected) => {
    expect(workflowOf(workflows, chosen, needed)).toBe(expected)
  })
})
