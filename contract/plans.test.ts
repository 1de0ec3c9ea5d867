import { describe, expect, it } from 'vitest'
import { entitlements, type PlanFacts } from './plans.ts'

const now = new Date('2026-11-20T12:00:00Z')
const plan = (facts: Partial<PlanFacts>): PlanFacts => ({
  planId: 'team',
  status: 'ACTIVE',
  addonQuantity: 0,
  trialEndsAt: null,
  ...facts,
})

describe('entitlements', () => {
  it('a trial has the features of Team, a cap of 10 and one X account', () => {
    const rights = entitlements(
      plan({ planId: 'free', status: 'TRIAL_ACTIVE', trialEndsAt: new Date('2026-12-01T00:00:00Z') }),
      now,
    )
    expect(rights).toMatchObject({ valid: true, channels: 20, scheduledCap: 10, xAccounts: 1, closed: [] })
  })
  it('ends with its date, whatever the status row says', () => {
    expect(entitlements(plan({ status: 'TRIAL_ACTIVE', trialEndsAt: now }), now).valid).toBe(false)
    expect(entitlements(plan({ status: 'TRIAL_EXPIRED' }), now).valid).toBe(false)
    expect(entitlements(plan({ status: 'CANCELLED' }), now).valid).toBe(false)
  })
  it('PAST_DUE and CANCEL_SCHEDULED continue to work', () => {
    expect(entitlements(plan({ status: 'PAST_DUE' }), now).valid).toBe(true)
    expect(entitlements(plan({ status: 'CANCEL_SCHEDULED' }), now).valid).toBe(true)
  })
  it('add-ons add channels to paid plans only', () => {
    expect(entitlements(plan({ planId: 'individual', addonQuantity: 5 }), now).channels).toBe(15)
    expect(entitlements(plan({ planId: 'free', addonQuantity: 5 }), now)).toMatchObject({
      channels: 3,
      projects: 1,
      users: 1,
      scheduledCap: 10,
    })
    expect(entitlements(plan({ planId: 'team' }), now)).toMatchObject({ channels: 20, scheduledCap: 300 })
  })
})
