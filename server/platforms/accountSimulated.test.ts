import { afterAll, beforeAll, expect, it } from 'vitest'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { signIn } from '../testing/adapter/channel.ts'
import { visitPlatforms, type Visitor } from '../testing/visitor.ts'
import { composePlatforms } from './registry.ts'

/* Every adapter reads an account of its simulated platform, which tells figures with delays, gaps and corrections. */

const platforms = composePlatforms({ plcDirectory: 'https://plc.directory' })
const variants: Partial<Record<string, string>> = { linkedin: 'pages' }
const DAY = 86_400_000
let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

it.each(platformKeys.filter((key) => key !== 'bluesky'))(
  '%s tells what the catalog says, when it says',
  async (key) => {
    const platform = platforms(key)
    if (!platform?.account) throw new Error(`${key} reads no accounts`)
    const variant = variants[key]
    const channel = await signIn(visit, platform, {
      ...(variant !== undefined && { variant, pick: (account) => account.kind === 'Organization' }),
    })
    const { reach, secret, account } = channel
    const { series, snapshot, audience, windows } = platform.account
    const dayAt = (back: number) => new Date(visit.clock.now - back * DAY).toISOString().slice(0, 10)
    const names = new Set<string>()
    if (snapshot) {
      const answer = await snapshot(reach, secret, account)
      expect(answer.kind, JSON.stringify(answer)).toBe('snapshot')
      if (answer.kind === 'snapshot') for (const name of Object.keys(answer.figures)) names.add(name)
    }
    if (series) {
      const answer = await series.read(reach, secret, account, { from: dayAt(9), to: dayAt(0) })
      if (answer.kind !== 'series') throw new Error(JSON.stringify(answer))
      const told = answer.days.filter(({ figures }) => Object.keys(figures).length > 0)
      for (const { figures } of told) for (const name of Object.keys(figures)) names.add(name)
      // today isn't processed yet, and what is final comes back the same
      expect(told.length).toBeGreaterThan(3)
      expect(told.find(({ day, figures }) => day === dayAt(0) && figures.followers === undefined)).toBeUndefined()
      const again = await series.read(reach, secret, account, { from: dayAt(9), to: dayAt(0) })
      expect(again).toEqual(answer)
    }
    if (series && windows) {
      const answer = await windows.read(reach, secret, account, dayAt(3))
      if (answer.kind !== 'windows') throw new Error(JSON.stringify(answer))
      for (const name of Object.keys(answer.figures)) names.add(name)
      const { reach7 = 0, reach28 = 0 } = answer.figures
      const days = await series.read(reach, secret, account, { from: dayAt(9), to: dayAt(3) })
      const daily = days.kind === 'series' ? days.days.map(({ figures }) => figures.reach ?? 0) : []
      // people who come back are counted once, so it's no sum
      expect(reach7).toBeGreaterThanOrEqual(Math.max(...daily))
      expect(reach7).toBeLessThan(daily.reduce((sum, value) => sum + value, 0))
      expect(reach28).toBeGreaterThan(reach7)
      // today isn't over
      expect(await windows.read(reach, secret, account, dayAt(-1))).toMatchObject({ kind: 'windows' })
    }
    expect([...names].toSorted()).toEqual(platformFigures[key].channel.map(({ name }) => name).toSorted())
    const people = await audience?.(reach, secret, account, dayAt(0))
    if (people) expect(people).toMatchObject({ kind: 'audience', buckets: expect.arrayContaining([expect.anything()]) })
    expect(visit.platform(key).violations).toEqual([])
  },
)
