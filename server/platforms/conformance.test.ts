import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { broken } from '../testing/conformance/broken.ts'
import { descriptionsFolder } from '../simulators/descriptions.ts'
import { modelBytes } from '../testing/modelRuns.ts'
import { conform, type Check } from '../testing/conformance/conformance.ts'
import { tableOf } from '../testing/conformance/table.ts'
import { visitPlatforms, type Visitor } from '../testing/visitor.ts'
import type { Platform } from './platform.ts'
import { composePlatforms } from './registry.ts'

/*
 * Every adapter against its simulated platform (docs/simulators.md), by its own rules. Bluesky is tested against its
 * real server instead (server/platforms/bluesky/*.pds.test.ts).
 */

const platforms = composePlatforms({ plcDirectory: 'https://plc.directory' })
const adapterOf = (key: PlatformKey): Platform => {
  const adapter = platforms(key)
  if (!adapter) throw new Error(`no adapter of ${key}`)
  return adapter
}
const keys = platformKeys.filter((key) => key !== 'bluesky' && platforms(key) !== undefined)
/** More than any adapter sends in one piece. Files at the size limits are sent by `npm run bench -- conformance`. */
const LARGEST = modelBytes()

let visit: Visitor
const results = new Map<string, Check[]>()
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

const failures = (checks: readonly Check[]) =>
  checks.filter(({ failed }) => failed !== null).map(({ capability, failed }) => `${capability}: ${failed}`)

describe('every adapter follows its rules, and each post exists exactly once', () => {
  const ways = keys.flatMap((key) =>
    (platformRules[key].app?.variants ?? [{ value: undefined, label: '' }]).map(({ value, label }) => ({
      key,
      variant: value,
      name: `${platformRules[key].label}${label ? `, ${label}` : ''}`,
    })),
  )

  it.each(ways)(
    '$name',
    async ({ key, variant, name }) => {
      const checks = await conform(visit, adapterOf(key), {
        largest: LARGEST,
        ...(variant !== undefined && { variant }),
      })
      results.set(name, checks)
      expect(failures(checks)).toEqual([])
      expect(checks.length).toBeGreaterThan(5)
    },
    240_000,
  )

  it('matches the table in the docs', async () => {
    await expect(tableOf(results)).toMatchFileSnapshot('../../docs/platforms/conformance.md')
  })
})

/** Unknown parameters are only noticed with the platforms' API descriptions, which aren't part of this repository. */
const NEEDS_DESCRIPTIONS = 'asks what the platform does not know'

describe('the suite notices an adapter that breaks a rule:', () => {
  const noticeable = Object.entries(broken).filter(([name]) => name !== NEEDS_DESCRIPTIONS || descriptionsFolder())
  it.each(noticeable)('one that %s', async (name, breakIt) => {
    const key: PlatformKey = name.includes('alternative') || name.includes('follows') ? 'threads' : 'facebook'
    const checks = await conform(visit, breakIt(adapterOf(key)), { largest: 4_000_000, stopAtFirst: true })
    expect(failures(checks)).not.toEqual([])
  })
})
