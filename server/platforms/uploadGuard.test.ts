import { sentenceOf } from '#contract/failures/catalog.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformRules } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { signIn } from '../testing/adapter/channel.ts'
import { publishLike } from '../testing/adapter/publishLike.ts'
import { outgoingPost, syntheticFile } from '../testing/outgoing.ts'
import { visitPlatforms, type Visitor } from '../testing/visitor.ts'
import type { Outgoing, Platform } from './platform.ts'
import { composePlatforms } from './registry.ts'

/*
 * For every adapter: a file that the platform accepted is uploaded again only after a counted check and a pause. The
 * test makes each adapter forget its progress, as one would that misreads the platform's status.
 */

const platforms = composePlatforms({ plcDirectory: 'https://plc.directory' })
/** More than two pieces: YouTube's and TikTok's have 8 MB, Facebook's, LinkedIn's and X's 4 MB; others take one. */
const BYTES: Partial<Record<PlatformKey, number>> = {
  youtube: 17_000_000,
  tiktok: 17_000_000,
  pinterest: 3_000_000,
  mastodon: 3_000_000,
}
const bytesFor = (key: PlatformKey): number => BYTES[key] ?? 9_000_000
/**
 * Adapters that upload bytes; those of Instagram, Threads and Google send URLs, and Bluesky is tested against its real
 * server.
 */
const uploading: readonly PlatformKey[] = ['facebook', 'linkedin', 'x', 'youtube', 'pinterest', 'tiktok', 'mastodon']

let visit: Visitor
beforeAll(async () => {
  visit = await visitPlatforms()
})
afterAll(() => visit.stop())

function adapterOf(key: PlatformKey): Platform {
  const platform = platforms(key)
  if (!platform) throw new Error(`no adapter of ${key}`)
  return platform
}

/** A platform's post types with videos, by its own rules. */
const kindsOf = (key: PlatformKey) => platformRules[key].posts.filter(({ videos }) => videos.most > 0)

const videoPost = (key: PlatformKey, postType: Outgoing['postType']): Outgoing =>
  outgoingPost({
    postType,
    contents: [
      { title: 'Rooks', text: 'Rooks at dawn', media: [syntheticFile('video/mp4', { bytes: bytesFor(key) })] },
    ],
    details: { privacy: 'SELF_ONLY', madeForKids: false, boardId: '1', categoryId: '22' },
  })

/** The most bytes that were accepted between two pauses of at least half a minute, in this many preparations. */
async function prepareForgetting(key: PlatformKey, postType: Outgoing['postType'], times: number) {
  const channel = await signIn(visit, adapterOf(key))
  let [taken, most, pauses]: [number, number, number] = [0, 0, 0]
  const reach = {
    ...channel.reach,
    fetch: async (...[url, request]: Parameters<typeof channel.reach.fetch>) => {
      const { body } = request
      if (typeof body === 'object' && 'open' in body) taken += body.bytes
      most = Math.max(most, taken)
      return await channel.reach.fetch(url, request)
    },
  }
  let post = videoPost(key, postType)
  for (let time = 0; time < times; time++) {
    const answer = await channel.platform.publish.prepare(reach, channel.secret, channel.account, post)
    if (answer.kind !== 'preparing' && answer.kind !== 'prepared') throw new Error(sentenceOf(answer.reason))
    const { progress } = answer
    // forgets the adapter's progress, but not the guard's count
    post = { ...post, progress: answer.kind === 'prepared' ? { uploadGuard: progress.uploadGuard } : progress }
    if (answer.kind === 'preparing' && answer.checkAfterSeconds >= 30) [taken, pauses] = [0, pauses + 1]
  }
  return { most, pauses }
}

it('is tested with every adapter that uploads', () => {
  const known = platformKeys.filter((key) => platforms(key) && key !== 'bluesky')
  expect(uploading.filter((key) => !known.includes(key))).toEqual([])
  expect(known.filter((key) => !uploading.includes(key))).toEqual(['instagram', 'threads', 'googlemybusiness'])
})

describe.each(uploading)('%s', (key) => {
  it.each(kindsOf(key).map(({ postType }) => postType))('uploads a %s again only after a pause', async (postType) => {
    const { most, pauses } = await prepareForgetting(key, postType, 40)
    expect(most).toBeGreaterThan(bytesFor(key) / 2)
    // one whole file, and what the last preparation had started before it
    expect(most).toBeLessThan(bytesFor(key) * 2)
    expect(pauses).toBeGreaterThan(0)
    expect(visit.mistakes(key)).toEqual([])
  })
})

it('waits twice as long each time, and uploads what was held back after the pause', async () => {
  const channel = await signIn(visit, adapterOf('pinterest'))
  const waits: number[] = []
  let post = videoPost('pinterest', 'pin')
  for (let time = 0; time < 30; time++) {
    const answer = await channel.platform.publish.prepare(channel.reach, channel.secret, channel.account, {
      ...post,
      progress: { uploadGuard: post.progress.uploadGuard },
    })
    if (answer.kind !== 'preparing') throw new Error(answer.kind)
    post = { ...post, progress: answer.progress }
    // the adapter's own pauses are shorter
    if (answer.checkAfterSeconds >= 30) waits.push(answer.checkAfterSeconds)
  }
  expect(waits.slice(0, 6)).toEqual([30, 60, 120, 240, 480, 480])
})

describe('Facebook reels and stories are uploaded once and published', () => {
  it.each([[['reels spelling']], [['slow upload']], [['reels spelling', 'slow upload']]])(
    'if the status comes with %s',
    async (switches) => {
      const { state } = visit.platform('facebook')
      for (const name of switches) state.switches.add(name)
      try {
        for (const postType of ['reel', 'story'] as const) {
          const channel = await signIn(visit, adapterOf('facebook'))
          channel.said.length = 0
          await publishLike(channel, visit.clock, videoPost('facebook', postType))
          expect(channel.said.filter((said) => said.includes('rupload.facebook.com'))).toHaveLength(1)
        }
      } finally {
        state.switches.clear()
      }
    },
  )
})
