import { describe, expect, it } from 'vitest'
import { counterNote, creditsOf, hindrances } from './bounds.ts'
import { planNews } from './planNews.ts'
import { percent, planActions, restsText, validityText, reactivationText } from './planWords.ts'

const dates = {
  planId: 'team',
  currentEndDate: '2026-12-21T09:00:00.000Z',
  nextBillingDate: '2026-12-21T09:00:00.000Z',
  trialExpiresAt: '2026-12-05T09:00:00.000Z',
  canceledAt: null,
} as const

describe('the validity text', () => {
  it.each([
    ['ACTIVE', 'renews at 21 Dec 2026'],
    ['CANCEL_SCHEDULED', 'ends on 21 Dec 2026'],
    ['TRIAL_ACTIVE', 'select a plan before trial expires'],
    ['TRIAL_EXPIRED', 'trial expired on 05 Dec 2026'],
    ['CANCELLED', 'expired on 21 Dec 2026'],
    ['PAST_DUE', 'To avoid interruptions to your account, please complete your payment as soon as possible.'],
  ] as const)('of %s is "%s"', (planStatus, text) => {
    expect(validityText({ ...dates, planStatus }, 'UTC')).toBe(text)
  })

  it('of a free plan is lifetime free', () => {
    expect(
      validityText(
        { ...dates, planId: 'free', planStatus: 'ACTIVE', nextBillingDate: null, currentEndDate: null },
        'UTC',
      ),
    ).toBe('lifetime free')
  })
})

const planned = {
  planId: 'individual',
  planName: 'Individual',
  addonQuantity: 0,
  startsAt: dates.currentEndDate,
} as const

describe('plan actions', () => {
  it.each([
    [{ planId: 'free', planStatus: 'ACTIVE', billingPeriod: null }, ['upgrade']],
    [
      { planId: 'individual', planStatus: 'ACTIVE', billingPeriod: 'monthly' },
      ['upgrade', 'annual', 'limit', 'payment', 'cancel'],
    ],
    [
      { planId: 'individual', planStatus: 'ACTIVE', billingPeriod: 'annual' },
      ['upgrade', 'limit', 'payment', 'cancel'],
    ],
    [{ planId: 'team', planStatus: 'ACTIVE', billingPeriod: 'annual' }, ['limit', 'payment', 'downgrade', 'cancel']],
    [
      { planId: 'team', planStatus: 'ACTIVE', billingPeriod: 'annual', canPlanChange: false },
      ['limit', 'payment', 'cancel'],
    ],
    [
      { planId: 'team', planStatus: 'ACTIVE', billingPeriod: 'annual', plannedChange: planned },
      ['stay', 'limit', 'payment', 'cancel'],
    ],
    [{ planId: 'team', planStatus: 'CANCEL_SCHEDULED', billingPeriod: 'annual' }, ['restart', 'payment']],
    [{ planId: 'team', planStatus: 'PAST_DUE', billingPeriod: 'monthly' }, ['payment', 'cancel']],
    [{ planId: 'team', planStatus: 'CANCELLED', billingPeriod: 'monthly' }, ['buy']],
    [{ planId: 'team', planStatus: 'TRIAL_ACTIVE', billingPeriod: null }, ['buy']],
    [{ planId: 'team', planStatus: 'TRIAL_EXPIRED', billingPeriod: null }, ['buy']],
  ] as const)('of %o are %o', (plan, actions) => {
    expect(planActions({ canPlanChange: true, plannedChange: null, ...plan })).toEqual(actions)
  })
})

describe('what prevents choosing a plan', () => {
  it('is too many channels or projects for Free', () => {
    expect(hindrances('free', { excessChannels: 0, excessProjects: 0 })).toEqual([])
    expect(hindrances('free', { excessChannels: 2, excessProjects: 2 }).map(({ text }) => text)).toEqual([
      'Free plan supports only 3 Channels. You have 2 excess Channels.',
      'Free plan supports only 1 Project. You have 2 excess Projects.',
    ])
  })

  it('is more than 20 add-ons for Individual, and nothing for Team', () => {
    expect(hindrances('individual', { excessChannels: 0, excessProjects: 0 })).toEqual([])
    expect(hindrances('individual', { excessChannels: 1, excessProjects: 0 }).map(({ text }) => text)).toEqual([
      'Individual plan supports upto 30 Channels. You have 31 Channels.',
    ])
    expect(hindrances('team', { excessChannels: 80, excessProjects: 9 })).toEqual([])
  })
})

describe('the add-on counter', () => {
  it('says why it stops', () => {
    const individual = { min: 3, max: 20, isIndividual: true }
    expect(counterNote(3, individual)).toEqual({
      text: 'You need to get at least 3 Addons, else remove those additional channels first.',
      to: 'channels',
    })
    expect(counterNote(4, individual)).toBeUndefined()
    expect(counterNote(20, individual)).toEqual({
      text: 'You cannot add more than 20 Channel Addons to Individual Plan.',
      to: 'team',
    })
    expect(counterNote(0, { min: 0, max: 100, isIndividual: false })).toBeUndefined()
    expect(counterNote(100, { min: 0, max: 100, isIndividual: false })?.to).toBeNull()
  })
})

describe("the plan's banner on every screen", () => {
  const fine = { planStatus: 'ACTIVE', valid: true, restingChannels: 0, maxChannels: 10, trailEndsAt: null } as const
  it.each([
    [fine, undefined],
    [{ ...fine, planStatus: 'CANCEL_SCHEDULED' }, undefined],
    [{ ...fine, planStatus: 'CANCELLED', valid: false }, 'Your plan has been Expired'],
    [{ ...fine, planStatus: 'TRIAL_EXPIRED', valid: false, restingChannels: 2 }, 'Your plan has been Expired'],
    [{ ...fine, planStatus: 'PAST_DUE', restingChannels: 2 }, 'Payment overdue'],
    [{ ...fine, restingChannels: 1 }, 'Channel Limit Exceeded'],
    [{ ...fine, planStatus: 'TRIAL_ACTIVE', trailEndsAt: '2026-12-05T09:00:00.000Z' }, 'Limited Free Trial'],
  ] as const)('of %o is "%s"', (facts, title) => {
    expect(planNews(facts, 'UTC')?.title).toBe(title)
  })

  it('can be dismissed while a trial runs and comes back for the next; so can too many channels, until others are paused', () => {
    const trial = { ...fine, planStatus: 'TRIAL_ACTIVE', trailEndsAt: '2026-12-05T09:00:00.000Z' } as const
    expect(planNews(trial, 'UTC')).toMatchObject({
      hides: 'Hide until the trial ends',
      text: 'It ends on 05 Dec 2026.',
    })
    expect(planNews({ ...trial, trailEndsAt: '2027-01-05T09:00:00.000Z' }, 'UTC')?.key).not.toBe(
      planNews(trial, 'UTC')?.key,
    )
    expect(planNews({ ...fine, valid: false }, 'UTC')?.hides).toBeNull()
    expect(planNews({ ...fine, restingChannels: 2 }, 'UTC')?.hides).not.toBeNull()
    expect(planNews({ ...fine, restingChannels: 2 }, 'UTC')?.key).not.toBe(
      planNews({ ...fine, restingChannels: 1 }, 'UTC')?.key,
    )
  })
})

it("says what a plan doesn't include, and what becomes active again", () => {
  expect(restsText('Individual', { users: 0, accounts: 0 })).toBeUndefined()
  expect(restsText('Free', { users: 2, accounts: 1 })).toBe(
    "2 users will only be able to view because Free includes one user. 1 X account will be paused because Free doesn't include X.",
  )
  expect(reactivationText({ channels: 27, projects: 0, users: 2 })).toBe(
    '27 paused channels and 2 teammates become active again.',
  )
  expect(reactivationText({ channels: 1, projects: 0, users: 0 })).toBe('1 paused channel becomes active again.')
  expect(reactivationText({ channels: 0, projects: 0, users: 0 })).toBeUndefined()
})

it("shows a preview's refunds as one sum", () => {
  expect(creditsOf([{ total: { subtotal: 4900 } }, { total: { subtotal: -700 } }, { total: { subtotal: -50 } }])).toBe(
    750,
  )
})

it('shows tax rates as percent', () => {
  expect([percent(0.19), percent(0), percent(0.077)]).toEqual(['19%', '0%', '7.7%'])
})
