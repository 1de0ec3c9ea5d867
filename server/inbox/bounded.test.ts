import { expect, it } from 'vitest'
import { remoteItem } from '../testing/inbox.ts'
import { bounded } from './bounded.ts'

const NOW = new Date('2026-11-21T10:00:00Z')
const item = remoteItem({ channelId: '', remoteId: 'one', at: new Date('2026-11-21T09:00:00Z') })
const one = (more: Partial<typeof item>) => bounded({ ...item, ...more }, NOW)

it('leaves alone what fits', () => {
  expect(one({})).toEqual([item])
})

it.each([
  ['before anyone wrote', new Date('0000-01-01T00:00:00Z')],
  ['in the far future', new Date(8.64e15)],
  ['that is none', new Date(Number.NaN)],
])('believes no time %s', (_name, at) => {
  expect(one({ at, editedAt: at })).toMatchObject([{ at: NOW, editedAt: NOW }])
  expect(bounded({ change: 'deleted', remoteId: 'one', at }, NOW)).toEqual([
    { change: 'deleted', remoteId: 'one', at: NOW },
  ])
})

it('leaves out what has keys that no index takes', () => {
  const long = 'k'.repeat(501)
  expect([...one({ remoteId: long }), ...one({ remoteId: '' }), ...one({ threadKey: long })]).toEqual([])
  expect(one({ parentRemoteId: long })).toMatchObject([{ parentRemoteId: null }])
  const person = { remoteId: long, name: '', handle: '', pictureUrl: null, url: null }
  expect(one({ author: person, counterpart: person })).toMatchObject([{ author: null, counterpart: null }])
})

it('clips texts without halving a character, and drops addresses that are too long', () => {
  const [clipped] = one({ text: `${'a'.repeat(49_999)}🦉`, url: `https://x.test/${'a'.repeat(2000)}` })
  expect(clipped).toMatchObject({ url: null })
  expect(clipped?.change === 'item' && clipped.text).toHaveLength(50_000)
  expect(clipped?.change === 'item' && clipped.text.isWellFormed()).toBe(true)
})

it('takes no version or rating that makes no sense', () => {
  expect(one({ version: Number.NaN, rating: 7 })).toMatchObject([{ version: 0, rating: null }])
})
