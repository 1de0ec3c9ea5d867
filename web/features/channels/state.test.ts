import { describe, expect, it } from 'vitest'
import { actionsFor, stateOf } from './state.ts'

describe('actionsFor', () => {
  it('offers what the state allows', () => {
    expect(actionsFor({ enabled: true, status: 'CONNECTED' })).toEqual(['edit', 'reconnect', 'disable', 'delete'])
    expect(actionsFor({ enabled: false, status: 'CONNECTED' })).toEqual(['edit', 'enable', 'delete'])
    expect(actionsFor({ enabled: false, status: 'TOKEN_EXPIRED' })).toEqual(['edit', 'reactivate', 'delete'])
    expect(actionsFor({ enabled: true, status: 'DISCONNECTED' })[0]).toBe('reconnect')
  })
})

describe('stateOf', () => {
  it('shows a pause before what the platform says', () => {
    expect(stateOf({ enabled: false, status: 'TOKEN_EXPIRED' })).toBe('disabled')
    expect(stateOf({ enabled: true, status: 'TOKEN_EXPIRED' })).toBe('expired')
    expect(stateOf({ enabled: true, status: 'DISCONNECTED' })).toBe('disconnected')
  })
})
