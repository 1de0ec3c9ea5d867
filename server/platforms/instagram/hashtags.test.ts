import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import { createInstagram } from './adapter.ts'

/* Posts of others by hashtag, against the simulated platform. */

let visit: Visitor
let channel: Channel
beforeAll(async () => {
  visit = await visitPlatforms()
})
beforeEach(async () => {
  visit.clock.now += 8 * 86_400_000
  channel = await signIn(visit, createInstagram(), { variant: 'facebook' })
  visit.platform('instagram').faults.clear()
  visit.platform('instagram').mistakes.length = 0
})
afterAll(() => visit.stop())

const ask = () => [channel.reach, channel.secret, channel.account] as const
const adapter = () => channel.platform.hashtags ?? expect.fail()
const find = (hashtag: string) => adapter().find(...ask(), hashtag)
const idOf = async (hashtag: string): Promise<string> => {
  const found = await find(hashtag)
  return found.kind === 'hashtag' ? found.id : expect.fail(JSON.stringify(found))
}

it('reads the top posts and the newest ones, with the counts that are told', async () => {
  const id = await idOf('coffee')
  expect(await idOf('coffee')).toBe(id)
  for (const list of ['top', 'recent'] as const) {
    const read = await adapter().read(...ask(), id, list)
    if (read.kind !== 'media') expect.fail(JSON.stringify(read))
    expect(read.media.length).toBeGreaterThan(5)
    for (const medium of read.media) {
      expect(medium).toMatchObject({ text: expect.stringContaining('#coffee'), comments: expect.any(Number) })
      expect(medium.permalink).toMatch(/^https:\/\/www\.instagram\.com\//)
    }
    // left out where the owner hides it: unknown, not 0
    expect(read.media[4]?.likes).toBeNull()
    expect(read.media[0]?.likes).toBeGreaterThan(0)
  }
  expect(visit.platform('instagram').mistakes).toEqual([])
})

it('finds none where nobody posted, and nothing of what Instagram refuses', async () => {
  const read = await adapter().read(...ask(), await idOf('silent'), 'recent')
  expect(read).toEqual({ kind: 'media', media: [] })
  expect(await find('offensive')).toEqual({ kind: 'none' })
})

it('tells when the account asked for 30 hashtags in 7 days', async () => {
  for (let nth = 0; nth < 30; nth++) await idOf(`tag${nth}`)
  expect(await find('one_more')).toEqual({ kind: 'limit' })
  expect(await find('tag3')).toMatchObject({ kind: 'hashtag' })
  visit.clock.now += 7 * 86_400_000
  channel = await signIn(visit, createInstagram(), { variant: 'facebook' })
  expect(await find('one_more')).toMatchObject({ kind: 'hashtag' })
})

it('needs the sign-in through Facebook and the feature that Meta grants', async () => {
  visit.platform('facebook').state.switches.add('no public content')
  expect(await find('coffee')).toMatchObject({ kind: 'rights' })
  visit.platform('facebook').state.switches.delete('no public content')
  const own = await signIn(visit, createInstagram(), { variant: 'instagram' })
  const answer = await own.platform.hashtags?.find(own.reach, own.secret, own.account, 'coffee')
  expect(answer).toMatchObject({ kind: 'rights' })
})

it('waits while the app has no calls left', async () => {
  const id = await idOf('coffee')
  visit.platform('instagram').faults.add({
    on: 'GET *',
    answer: { status: 429, json: { error: { code: 4, message: 'Slow down' } } },
    times: 9,
  })
  expect(await adapter().read(...ask(), id, 'top')).toMatchObject({ kind: 'retry' })
})
