import { describe, expect, it } from 'vitest'
import { actionsFor, needsSignIn, signInEnds, stateOf } from './state.ts'

const now = new Date('2026-11-20T12:00:00Z')
const well = {
  enabled: true,
  planLocked: false,
  status: 'CONNECTED',
  deleting: false,
  signInEndsAt: null,
  missing: [],
} as const

describe('actionsFor', () => {
  it('offers what the state allows', () => {
    expect(actionsFor(well, now)).toEqual(['edit', 'disable', 'delete'])
    expect(actionsFor({ ...well, enabled: false }, now)).toEqual(['enable', 'edit', 'delete'])
    expect(actionsFor({ ...well, enabled: false, status: 'TOKEN_EXPIRED' }, now)).toEqual([
      'reactivate',
      'edit',
      'delete',
    ])
    expect(actionsFor({ ...well, missing: ['publish'] }, now)).toEqual(['reconnect', 'edit', 'disable', 'delete'])
    expect(actionsFor({ ...well, status: 'DISCONNECTED' }, now)).toEqual(['reconnect', 'edit', 'disable', 'delete'])
    expect(actionsFor({ ...well, status: 'TOKEN_EXPIRED' }, now)[0]).toBe('reconnect')
  })
  it('offers a new sign-in before the old one ends', () => {
    expect(actionsFor({ ...well, signInEndsAt: '2026-11-23T13:00:00Z' }, now)[0]).toBe('reconnect')
    expect(actionsFor({ ...well, signInEndsAt: '2026-12-23T13:00:00Z' }, now)).not.toContain('reconnect')
  })
  it('reactivates what the plan paused, with a new sign-in if that has ended as well', () => {
    const locked = { ...well, enabled: false, planLocked: true }
    expect(actionsFor(locked, now)).toEqual(['unlock', 'edit', 'delete'])
    expect(actionsFor({ ...locked, status: 'TOKEN_EXPIRED' }, now)).toEqual(['reactivate', 'edit', 'delete'])
  })
  it('offers nothing for a channel being deleted', () => {
    expect(actionsFor({ ...well, deleting: true, status: 'TOKEN_EXPIRED' }, now)).toEqual([])
  })
})

describe('stateOf', () => {
  it("shows a pause before the platform's state", () => {
    expect(stateOf({ ...well, enabled: false, status: 'TOKEN_EXPIRED' }, now)).toBe('disabled')
    expect(stateOf({ ...well, enabled: false, planLocked: true, status: 'TOKEN_EXPIRED' }, now)).toBe('locked')
    expect(stateOf({ ...well, status: 'TOKEN_EXPIRED' }, now)).toBe('expired')
    expect(stateOf({ ...well, status: 'DISCONNECTED' }, now)).toBe('disconnected')
    expect(stateOf({ ...well, enabled: false, deleting: true }, now)).toBe('deleting')
  })
  it('warns from seven days before a sign-in ends', () => {
    expect(stateOf({ ...well, signInEndsAt: '2026-11-27T12:00:00Z' }, now)).toBe('ending')
    expect(stateOf({ ...well, signInEndsAt: '2026-11-27T12:00:01Z' }, now)).toBe('connected')
  })
})

it('needs attention if a sign-in has ended or is about to, not for a pause', () => {
  expect(needsSignIn(well, now)).toBe(false)
  expect(needsSignIn({ ...well, enabled: false, status: 'TOKEN_EXPIRED' }, now)).toBe(false)
  expect(needsSignIn({ ...well, status: 'TOKEN_EXPIRED' }, now)).toBe(true)
  expect(needsSignIn({ ...well, signInEndsAt: '2026-11-21T12:00:00Z' }, now)).toBe(true)
})

describe('signInEnds', () => {
  it('counts full days, then hours', () => {
    expect(signInEnds('2026-11-23T15:00:00Z', now)).toBe('Sign-in expires in 3 days')
    expect(signInEnds('2026-11-21T12:00:00Z', now)).toBe('Sign-in expires in 1 day')
    expect(signInEnds('2026-11-20T16:30:00Z', now)).toBe('Sign-in expires in 5 hours')
    expect(signInEnds('2026-11-20T12:00:00Z', now)).toBe('Sign-in expired')
  })
})
