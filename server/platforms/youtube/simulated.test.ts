import { afterAll, beforeAll, expect, it } from 'vitest'
import { signIn, type Channel } from '../../testing/adapter/channel.ts'
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
