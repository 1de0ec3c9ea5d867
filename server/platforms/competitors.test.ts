import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { signIn, type Channel } from '../testing/adapter/channel.ts'
import { publishNatives } from '../simulators/natives.ts'
import { visitPlatforms, type Visitor } from '../testing/visitor.ts'
import { composePlatforms } from './registry.ts'

/*
 * Every adapter that reads accounts of others, against its simulated platform. Bluesky's is in its folder, and so is what an adapter
 * understands as a handle.
 */

const platforms = composePlatforms({ plcDirectory: 'https://plc.directory' })
const keys = platformKeys.filter((key) => key !== 'bluesky' && platforms(key)?.competitors !== undefined)
const variants: Partial<Record<PlatformKey, string>> = { instagram: 'facebook' }

let visit: Visitor
const channels = new Map<PlatformKey, Channel>()
beforeAll(async () => {
  visit = await visitPlatforms()
  for (const key of keys) {
    const [platform, variant] = [platforms(key) ?? expect.fail(), variants[key]]
    channels.set(key, await signIn(visit, platform, { ...(variant !== undefined && { variant }) }))
  }
})
afterAll(() => visit.stop())

it('is there for each platform of which the catalog says that it is possible', () => {
  const possible = platformKeys.filter((key) => platformFigures[key].competitors.isPossible)
  expect(platformKeys.filter((key) => platforms(key)?.competitors !== undefined)).toEqual(possible)
})

describe.each(keys)('a competitor on %s', (key) => {
  let channel: Channel
  beforeEach(() => {
    channel = channels.get(key) ?? expect.fail()
    for (const each of keys) visit.platform(each).faults.clear()
    visit.platform(key).violations.length = 0
    visit.platform(key).mistakes.length = 0
    visit.platform(key).state.posts.clear()
    visit.clock.now += 60_000
  })
  const adapter = () => channel.platform.competitors ?? expect.fail()
  const ask = () => [channel.reach, channel.secret, channel.account] as const
  /** Another account of the platform than the channel's own. */
  const theirs = () => {
    const own = channel.account.remoteId
    const { accounts } = visit.platform(key).state
    // people have Pages
    const all = key === 'facebook' ? accounts.flatMap(({ owns }) => owns) : accounts
    return all.find(({ id, handle }) => id !== own && !channel.account.handle.includes(handle)) ?? expect.fail()
  }
  const found = async (text: string) => {
    const answer = await adapter().find(...ask(), text)
    return answer.kind === 'account' ? answer.account : expect.fail(JSON.stringify(answer))
  }
  const read = async (most = 25) => adapter().read(...ask(), await found(`@${theirs().handle}`), most)

  it('is found by its handle, with what the catalog says of the account', async () => {
    const account = await found(`@${theirs().handle}`)
    expect(account.name).toBe(theirs().name)
    expect(account.pictureUrl).toMatch(/^https:/)
    expect(account.profileUrl).toMatch(/^https:/)
    const { competitors } = platformFigures[key]
    expect(Object.keys(account.figures).toSorted()).toEqual(competitors.isPossible ? competitors.account : [])
    expect(await found(account.profileUrl ?? '')).toEqual(account)
    expect(visit.platform(key).violations).toEqual([])
    expect(visit.mistakes(key)).toEqual([])
  })

  it('has its newest posts with figures, and no older ones than were asked for', async () => {
    publishNatives(
      visit.platform(key).state,
      { from: theirs().id, text: 'What they bake', count: 30, days: 20 },
      visit.clock.now,
    )
    visit.clock.now += 60_000
    const answer = await read()
    if (answer.kind !== 'read') throw new Error(JSON.stringify(answer))
    expect(answer.posts).toHaveLength(25)
    expect(answer.isAll).toBe(false)
    const times = answer.posts.map(({ publishedAt }) => publishedAt.getTime())
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const { competitors } = platformFigures[key]
    for (const post of answer.posts) {
      expect(post.permalink).toMatch(/^https:/)
      for (const name of competitors.isPossible ? competitors.post : []) expect(post.figures).toHaveProperty(name)
    }
    expect(visit.platform(key).violations).toEqual([])
    expect(visit.mistakes(key)).toEqual([])
  })

  it('may have no posts', async () => {
    expect(await read()).toMatchObject({ kind: 'read', posts: [], isAll: true })
  })

  it('that nobody has is gone, and so is an address of something else', async () => {
    for (const text of ['@nobodyatall', 'https://elsewhere.example/about', ''])
      expect(await adapter().find(...ask(), text)).toEqual({ kind: 'none', why: 'gone' })
  })

  it('is not asked for again before the platform allows it', async () => {
    const account = await found(`@${theirs().handle}`)
    visit.platform(key).faults.add({
      on: 'GET *',
      answer: { status: 429, json: { error: { code: 4, message: 'Slow down' } } },
      times: 9,
    })
    expect(await adapter().read(...ask(), account, 25)).toMatchObject({ kind: 'retry' })
  })
})

it("can't be read with Instagram's own sign-in", async () => {
  const platform = platforms('instagram') ?? expect.fail()
  const { reach, secret, account } = await signIn(visit, platform, { variant: 'instagram' })
  expect(await platform.competitors?.find(reach, secret, account, '@anyone')).toMatchObject({ kind: 'rights' })
})

it("can't be read by a Threads app without Meta's approval, through an older sign-in, or with few followers", async () => {
  const platform = platforms('threads') ?? expect.fail()
  const { reach, secret, account } = channels.get('threads') ?? expect.fail()
  const { state } = visit.platform('threads')
  const theirs = state.accounts.find(({ id }) => id !== account.remoteId) ?? expect.fail()
  const find = (of = secret) => platform.competitors?.find(reach, of, account, theirs.handle)
  const rights = { kind: 'rights', missing: ['threads_profile_discovery'] }
  expect(await find({ ...secret, scopes: ['threads_basic'] })).toEqual(rights)
  state.switches.add('standard access')
  expect(await find()).toEqual(rights)
  state.switches.delete('standard access')
  state.switches.add('few followers')
  expect(await find()).toEqual({ kind: 'none', why: 'gone' })
  state.switches.delete('few followers')
  expect(await find()).toMatchObject({ kind: 'account' })
  // 1,000 profiles a day
  for (let i = 0; i < 1000; i += 1) await find()
  expect(await find()).toMatchObject({ kind: 'retry' })
  visit.clock.now += 86_400_000
  expect(await find()).toMatchObject({ kind: 'account' })
})

it("can't be read by a Facebook app without Page Public Content Access", async () => {
  const platform = platforms('facebook') ?? expect.fail()
  const { reach, secret, account } = channels.get('facebook') ?? expect.fail()
  visit.platform('facebook').state.switches.add('no public content')
  expect(await platform.competitors?.find(reach, secret, account, '@harbourbooks')).toMatchObject({
    kind: 'rights',
    missing: ['Page Public Content Access'],
  })
  visit.platform('facebook').state.switches.delete('no public content')
})
