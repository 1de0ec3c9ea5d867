import { describe, expect, it } from 'vitest'
import { api } from '#contract/api.ts'

const changing = Object.entries(api).filter(([, { method, changes }]) => method !== 'GET' || changes)

describe('each endpoint that changes something', () => {
  it.each(changing)('%s declares its entry, or says why there is none', (_, { audit, access }) => {
    expect(audit).not.toBeNull()
    if (audit === null) return
    if ('none' in audit) {
      expect(audit.none.length).toBeGreaterThan(10)
      return
    }
    // shown in lower case, and used as a filter
    expect(audit.action).toMatch(/^[a-z]+$/)
    expect(audit.entity).toMatch(/^[a-z]+(_[a-z]+)*$/)
    // there is no known person to name
    expect(access.kind).not.toBe('public')
  })

  it('is known to this test: other endpoints only read, and write no entry', () => {
    const reading = Object.entries(api).filter(([name]) => !changing.some(([other]) => other === name))
    expect(reading.filter(([, { audit }]) => audit !== null).map(([name]) => name)).toEqual([])
    expect(changing.length).toBeGreaterThan(80)
  })
})
