import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { signIn } from '../testing/adapter/channel.ts'
import { publishLike } from '../testing/adapter/publishLike.ts'
import { later } from '../testing/adapter/standsOnce.ts'
import { fullestOf } from '../testing/conformance/fullest.ts'
import { visitPlatforms, type Visitor } from '../testing/visitor.ts'
import { composePlatforms } from './registry.ts'

/*
 * What the composer accepts, the platform accepts too: each adapter against its simulated platform. Bluesky is tested
 * against its real server instead.
 */

const platforms = composePlatforms({ plcDirectory: 'https://plc.directory' })
let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

describe('the fullest posts that pass the check are accepted', () => {
  it.each(platformKeys.filter((key) => key !== 'bluesky'))('by %s', async (key) => {
    const adapter = platforms(key)
    if (!adapter) throw new Error(`no adapter of ${key}`)
    const channel = await signIn(visit, adapter)
    const simulated = visit.platform(key)
    const refused: string[] = []
    for (const { name, make } of fullestOf(platformRules[key], channel)) {
      simulated.state.posts.clear()
      simulated.violations.length = 0
      await later(visit, channel)
      const failed = await make()
        .then((post) => publishLike(channel, visit.clock, post))
        .then(
          () => null,
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        )
      const violations = [...new Set(simulated.violations)].filter((violation) => !violation.endsWith('no token'))
      if (failed !== null || violations.length > 0)
        refused.push(`${name}: ${failed ?? ''} ${violations.slice(0, 2).join('; ').slice(0, 300)}`)
    }
    expect(refused).toEqual([])
  })
})
