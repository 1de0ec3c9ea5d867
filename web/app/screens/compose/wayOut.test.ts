import { describe, expect, it } from 'vitest'
import { wayOut } from './wayOut.ts'

const publisher = {
  mayPublish: 'yes',
  maySend: 'yes',
  status: undefined,
  wantsApproval: false,
  approvals: 'open',
} as const

describe('how a post leaves the composer', () => {
  it('goes out by its plan where nobody wants an approval, whatever has answered', () => {
    for (const approvals of ['unread', 'failed', 'closed', 'open'] as const)
      expect(wayOut({ ...publisher, approvals })).toMatchObject({ way: 'publish', standing: 'known', without: false })
  })

  it('is never sent past a chosen workflow while that is read, or could not be', () => {
    const chosen = { ...publisher, wantsApproval: true }
    expect(wayOut(chosen)).toMatchObject({ way: 'approve', standing: 'known' })
    expect(wayOut({ ...chosen, approvals: 'unread' })).toMatchObject({ way: 'approve', standing: 'loading' })
    expect(wayOut({ ...chosen, approvals: 'failed' })).toMatchObject({ way: 'approve', standing: 'failed' })
  })

  it('says so where a chosen workflow cannot be used', () => {
    expect(wayOut({ ...publisher, wantsApproval: true, approvals: 'closed' })).toMatchObject({
      way: 'publish',
      standing: 'known',
      without: true,
    })
    expect(wayOut({ ...publisher, wantsApproval: true, maySend: 'no' })).toMatchObject({
      way: 'publish',
      without: true,
    })
  })

  it('tells somebody that they write drafts only once everything has answered', () => {
    const writer = { ...publisher, mayPublish: 'no' } as const
    expect(wayOut({ ...writer, approvals: 'unread' })).toMatchObject({ way: 'approve', standing: 'loading' })
    expect(wayOut({ ...writer, approvals: 'failed' })).toMatchObject({ way: 'approve', standing: 'failed' })
    expect(wayOut(writer)).toMatchObject({ way: 'approve', standing: 'known' })
    expect(wayOut({ ...writer, approvals: 'closed' })).toMatchObject({ way: 'none', standing: 'known' })
    expect(wayOut({ ...writer, maySend: 'no', approvals: 'unread' })).toMatchObject({ way: 'none', standing: 'known' })
    expect(wayOut({ ...writer, mayPublish: 'loading' })).toMatchObject({ standing: 'loading' })
  })

  it('leaves what waits for approval there when it is changed, and sends what was rejected again', () => {
    expect(wayOut({ ...publisher, status: 'NEEDS_APPROVAL', mayPublish: 'no' })).toMatchObject({
      way: 'publish',
      standing: 'known',
    })
    expect(wayOut({ ...publisher, status: 'REJECTED' })).toMatchObject({ way: 'approve', must: true })
    expect(wayOut({ ...publisher, status: 'SCHEDULED', wantsApproval: true, approvals: 'closed' })).toMatchObject({
      way: 'publish',
      without: false,
    })
  })
})
