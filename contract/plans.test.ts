import { describe, expect, it } from 'vitest'
import { entitlements, type Gate, type PlanFacts } from './plans.ts'
import { PRICE_LIST } from './priceList.ts'

const now = new Date('2026-11-20T12:00:00Z')
const plan = (facts: Partial<PlanFacts>): PlanFacts => ({
  planId: 'team',
  status: 'ACTIVE',
  addonQuantity: 0,
  trialEndsAt: null,
  ...facts,
})

describe('the cards of plans', () => {
  /** What a card says of a feature that opens with its plan. */
  const words: Partial<Record<Gate, RegExp>> = {
    repeat: /repeats/i,
    queues: /queues/i,
    asset_library: /asset library/i,
    campaigns: /campaigns/i,
    canned_responses: /canned responses/i,
    analytics: /analytics/i,
    x: /^X accounts$/,
    approval_workflows: /approval workflows/i,
    custom_roles: /custom roles/i,
    discussion: /discussions/i,
  }
  it.each([
    ['individual', 'free'],
    ['team', 'individual'],
  ] as const)('of %s name every feature that %s lacks', (planId, before) => {
    const opened = entitlements(plan({ planId: before }), now).closed.filter(
      (gate) => !entitlements(plan({ planId }), now).closed.includes(gate),
    )
    expect(opened.length).toBeGreaterThan(0)
    for (const gate of opened) {
      const { features } = PRICE_LIST.plans[planId]
      expect({ gate, named: features.some((feature) => words[gate]?.test(feature)) }).toEqual({ gate, named: true })
    }
  })
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
