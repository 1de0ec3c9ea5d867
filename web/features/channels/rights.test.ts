import { expect, it } from 'vitest'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { cannotWithout } from './rights.ts'

it('names missing permissions in plain words, or in the platform’s if there are none', () => {
  expect(cannotWithout('bluesky', [])).toBeUndefined()
  expect(cannotWithout('bluesky', ['write'])).toBe('use write')
  expect(cannotWithout('bluesky', ['read', 'write', 'read'])).toBe('use read and use write')
})

it('has words for every requested permission of platforms with any', () => {
  for (const key of platformKeys) {
    const { app } = platformRules[key]
    if (app?.rights)
      for (const scope of app.scopes) expect(cannotWithout(key, [scope]), `${key} ${scope}`).not.toMatch(/^use /)
  }
})
