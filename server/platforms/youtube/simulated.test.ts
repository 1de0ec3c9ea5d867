import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
import { addNatives, listOwn, listPage } from '../../testing/adapter/listOwn.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import { createYoutube } from './adapter.ts'

/* YouTube against its simulator: what server/platforms/conformance.test.ts does not play. */

let visit: Visitor
let channel: Channel
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createYoutube())
})
afterAll(() => visit.stop())

it('adds a playlist, which can be found afterwards', async () => {
  const { platform, reach, secret, account } = channel
  const added = await platform.additions?.playlists?.(reach, secret, account, {
    name: 'Rye',
    description: 'Slow bread',
    isPublic: false,
  })
  expect(added).toMatchObject({ kind: 'added', item: { name: 'Rye' } })
  expect(await platform.lookups?.playlists?.(reach, secret, account, { query: 'rye', limit: 5 })).toMatchObject({
    kind: 'found',
    items: [{ id: added?.kind === 'added' ? added.item.id : '', name: 'Rye' }],
  })
  expect(visit.mistakes('youtube')).toEqual([])
})

it('lists what people can see, with what is a Short', async () => {
  const { state } = visit.platform('youtube')
  const [video = '', short = '', unlisted = '', scheduled = '', failed = ''] = [
    addNatives(visit, channel, { text: 'Long' }),
    addNatives(visit, channel, { text: 'Short', postType: 'shorts' }),
    addNatives(visit, channel),
    addNatives(visit, channel),
    addNatives(visit, channel),
  ].flat()
  const change = (id: string, status: Record<string, unknown>) => Object.assign(state.post(id).more, { status })
  change(unlisted, { privacyStatus: 'unlisted' })
  change(scheduled, { privacyStatus: 'private', publishAt: '2027-01-01T00:00:00Z' })
  change(failed, { privacyStatus: 'public', uploadStatus: 'rejected' })
  const { posts } = await listOwn(channel)
  expect(new Map(posts.map(({ remoteId, postType }) => [remoteId, postType]))).toEqual(
    new Map([
      [video, 'video'],
      [short, 'shorts'],
      [unlisted, 'video'],
    ]),
  )
  expect(posts.find(({ remoteId }) => remoteId === short)).toMatchObject({
    permalink: `https://www.youtube.com/shorts/${short}`,
    pictureUrl: expect.stringContaining(short),
    figures: { views: expect.any(Number) },
  })
  expect(visit.mistakes('youtube')).toEqual([])
})

it('lists nothing of a channel that has no uploads yet', async () => {
  visit.platform('youtube').faults.add({
    on: 'GET *playlistItems',
    answer: {
      status: 404,
      json: {
        error: {
          code: 404,
          message: 'The playlist cannot be found.',
          errors: [
            { domain: 'youtube.playlistItem', reason: 'playlistNotFound', message: 'The playlist cannot be found.' },
          ],
        },
      },
    },
  })
  expect(await listPage(channel, null)).toEqual({ kind: 'posts', posts: [], next: null })
})
