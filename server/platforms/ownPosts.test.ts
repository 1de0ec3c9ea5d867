import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey, type PostType } from '#contract/platforms/rules.ts'
import { signIn, type Channel } from '../testing/adapter/channel.ts'
import { addNatives, deleteThere, listOwn, listPage } from '../testing/adapter/listOwn.ts'
import { publishLike } from '../testing/adapter/publishLike.ts'
import { freshWords, later } from '../testing/adapter/standsOnce.ts'
import { casesOf } from '../testing/conformance/cases.ts'
import { visitPlatforms, type Visitor } from '../testing/visitor.ts'
import type { SafeAnswer } from './safeHttp.ts'
import type { SignedIn } from './platform.ts'
import { composePlatforms } from './registry.ts'

/*
 * Every adapter that lists its account's own posts, against its simulated platform. Bluesky is tested against its real server
 * instead (server/platforms/bluesky/ownPosts.pds.test.ts).
 */

const platforms = composePlatforms({ plcDirectory: 'https://plc.directory' })
const keys = platformKeys.filter((key) => key !== 'bluesky' && platforms(key)?.ownPosts !== undefined)
/** LinkedIn lists no posts of profiles. */
const isListed = ({ account }: SignedIn): boolean => !account.remoteId.startsWith('urn:li:person:')
/** An app for LinkedIn profiles has no Pages. */
const waysOf = (key: PlatformKey) =>
  (platformRules[key].app?.variants ?? [{ value: undefined, label: '' }]).filter(({ value }) => value !== 'profile')
const ways = keys.flatMap((key) =>
  waysOf(key).map(({ value, label }) => ({
    key,
    variant: value,
    name: `${platformRules[key].label}${label ? `, ${label}` : ''}`,
  })),
)

/** What no list of the platform has. */
const unlisted: Partial<Record<PlatformKey, readonly PostType[]>> = {}

/** What a list can't tell apart here: simulators don't look at what is in a file. */
const shownAs: Partial<Record<PlatformKey, Partial<Record<PostType, PostType>>>> = { youtube: { shorts: 'video' } }
/** Cases that become another kind of post: a single video in Instagram's feed is a reel. */
const becomes: Partial<Record<PlatformKey, Record<string, PostType>>> = { instagram: { 'Post: video': 'reel' } }

let visit: Visitor
const channels = new Map<string, Channel>()
beforeAll(async () => {
  visit = await visitPlatforms()
  for (const { key, variant, name } of ways) {
    const platform = platforms(key) ?? expect.fail()
    channels.set(name, await signIn(visit, platform, { ...(variant !== undefined && { variant }), pick: isListed }))
  }
})
afterAll(() => visit.stop())

describe.each(ways)('the own posts of $name', ({ key, name }) => {
  let channel: Channel
  const most = platforms(key)?.ownPosts?.most ?? 0
  beforeEach(async () => {
    channel = channels.get(name) ?? expect.fail()
    const simulated = visit.platform(key)
    // platforms of one company share hosts
    for (const each of keys) visit.platform(each).faults.clear()
    simulated.violations.length = 0
    simulated.mistakes.length = 0
    simulated.state.posts.clear()
    await later(visit, channel)
  })
  const state = () => visit.platform(key).state
  const wellBehaved = () => {
    expect(visit.platform(key).violations).toEqual([])
    expect(visit.mistakes(key)).toEqual([])
  }

  it('are those of every kind that were published here, and those from elsewhere, each once and newest first', async () => {
    const old = addNatives(visit, channel, { count: 3, days: 40 })
    const published: { remoteId: string; postType: PostType }[] = []
    const expected = [...old]
    const kinds = casesOf(platformRules[key], channel, 500_000).filter(
      ({ name, postType }) => !/limit$| pictures$|title$/.test(name) && !unlisted[key]?.includes(postType),
    )
    for (const one of kinds) {
      await later(visit, channel)
      const { remoteId } = await publishLike(channel, visit.clock, await one.make(freshWords()))
      published.push({ remoteId, postType: becomes[key]?.[one.name] ?? shownAs[key]?.[one.postType] ?? one.postType })
      expected.push(remoteId)
      await later(visit, channel)
      expected.push(...addNatives(visit, channel))
    }
    const { posts } = await listOwn(channel)
    expect(posts.map(({ remoteId }) => remoteId)).toEqual(expected.toReversed())
    expect(posts).toEqual(expect.arrayContaining(published.map((one) => expect.objectContaining(one))))
    for (const post of posts) {
      expect(post.publishedAt.getTime()).toBeGreaterThan(visit.clock.now - 60 * 86_400_000)
      expect(post.publishedAt.getTime()).toBeLessThanOrEqual(visit.clock.now)
      expect(post.permalink).toMatch(/^https:/)
    }
    expect(posts.find(({ remoteId }) => remoteId === expected.at(-1))?.text).toContain('Another tool wrote this')
    wellBehaved()
  })

  it('come in pages as long as the platform has them, for no more calls than are counted', async () => {
    const ids = addNatives(visit, channel, { count: most * 2 + 3, days: 60 })
    const before = visit.platform(key).calls.length
    const { posts, pages } = await listOwn(channel)
    expect(posts.map(({ remoteId }) => remoteId)).toEqual(ids.toReversed())
    expect(Math.max(...pages.map(({ length }) => length))).toBe(most)
    const cost = Math.max(...channel.platform.budgets.map((budget) => budget.cost.ownPosts ?? 0))
    if (cost > 0) expect(visit.platform(key).calls.length - before).toBeLessThanOrEqual(cost * pages.length)
    wellBehaved()
  })

  it('are never doubled, and nothing older is skipped, when posts are added and deleted between two pages', async () => {
    const ids = addNatives(visit, channel, { count: most * 3 + 5, days: 60 })
    const gone = new Set<string>()
    const { posts } = await listOwn(channel, (seen, page) => {
      const [first, last] = [seen[1], seen.at(-1)]
      for (const one of page === 1 ? [first, last] : [last]) {
        if (!one) continue
        gone.add(one.remoteId)
        deleteThere(visit, channel, one.remoteId)
      }
      if (page === 2) addNatives(visit, channel, { count: 3 })
    })
    const listed = posts.map(({ remoteId }) => remoteId)
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed.filter((id) => ids.includes(id))).toEqual(ids.toReversed())
    expect(gone.size).toBeGreaterThan(2)
  })

  it('are listed without one that makes no sense', async () => {
    const ids = addNatives(visit, channel, { count: 3, days: 9 })
    const { posts } = await listOwn({
      ...channel,
      reach: { ...channel.reach, fetch: async (url, request) => withNonsense(await channel.reach.fetch(url, request)) },
    })
    expect(posts.map(({ remoteId }) => remoteId)).toEqual(ids.toReversed())
  })

  it('are refused with a reason: a dead sign-in, a limit, trouble at the platform, an answer that makes no sense', async () => {
    addNatives(visit, channel)
    const answers = async (fault: Parameters<ReturnType<Visitor['platform']>['faults']['add']>[0]) => {
      visit.platform(key).faults.clear()
      visit.platform(key).faults.add({ times: 9, ...fault })
      const answer = await listPage(channel, null)
      if (answer.kind === 'posts' || answer.kind === 'rights') return answer.kind
      expect(answer.reason).toBeTruthy()
      return answer.kind === 'retry' && answer.first === 'renew' ? 'reconnect' : answer.kind
    }
    const refusal = (why: 'token' | 'limit') => {
      const { status = 400, json, headers } = state().refuse(why, 'Refused')
      return { answer: { status, json, ...(headers && { headers }) } }
    }
    expect(await answers(refusal('token'))).toBe('reconnect')
    expect(await answers(refusal('limit'))).toBe('retry')
    expect(await answers({ answer: { status: 503, text: '<html>Unavailable</html>' } })).toBe('retry')
    expect(await answers({ answer: { status: 200, text: '<html>Hello</html>' } })).toBe('retry')
    expect(await answers({ drop: 'before' })).toBe('retry')
  })
})

/** An answer with items in its lists that are no items, and one whose time is none. */
function withNonsense(answer: SafeAnswer): SafeAnswer {
  if (answer.kind !== 'answer') return answer
  const text = new TextDecoder().decode(answer.body)
  if (!/^[[{]/.test(text)) return answer
  const spoiled: unknown = JSON.parse(text, (name, value: unknown) =>
    Array.isArray(value) && value.length > 1 && value.some(isNamed) && (name === '' || LISTS.has(name))
      ? [null, 'a text', {}, timeless(value[0]), ...value]
      : value,
  )
  return { ...answer, body: new TextEncoder().encode(JSON.stringify(spoiled)) }
}

const LISTS = new Set(['data', 'items', 'elements', 'videos', 'localPosts', 'posts'])
const isNamed = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && ('id' in value || 'name' in value || 'post_id' in value)

/** The same post under another ID, with times that are none. */
const timeless = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/"(\d{4}-\d\d-\d\dT[^"]*)"/g, '"not a time"')
      .replaceAll(/"(\w*(?:[tT]ime|_at|At))":\d+/g, '"$1":-1'),
  )
