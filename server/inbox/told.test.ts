import { expect, it } from 'vitest'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import { toldIn } from './told.ts'

type Parsed = { accountRemoteId: string; kinds: ConversationKind[] }[]
const told = (parsed: Parsed) => toldIn({ parse: () => parsed }, '')

it('names each account once, with all its kinds', () => {
  expect(
    told([
      { accountRemoteId: '77', kinds: ['message'] },
      { accountRemoteId: '78', kinds: ['mention'] },
      { accountRemoteId: '77', kinds: ['comment', 'message'] },
    ]),
  ).toEqual([
    { accountRemoteId: '77', kinds: ['comment', 'message'] },
    { accountRemoteId: '78', kinds: ['mention'] },
  ])
})

it.each([
  ['is empty', ''],
  ['has a zero byte', 'a\0b'],
  ['has half a surrogate', 'a\ud800b'],
  ['is longer than any index takes', 'k'.repeat(501)],
])('leaves out an account whose id %s', (_what, accountRemoteId) => {
  expect(told([{ accountRemoteId, kinds: ['comment'] }])).toEqual([])
})

it('leaves out what is about nothing that is read', () => {
  expect(told([{ accountRemoteId: '77', kinds: [] }])).toEqual([])
})

it('names at most a thousand accounts', () => {
  const accounts = Array.from({ length: 1_001 }, (_, place): Parsed[number] => ({
    accountRemoteId: String(place),
    kinds: ['comment'],
  }))
  const names = told([...accounts, { accountRemoteId: '0', kinds: ['message'] }])
  expect(names).toHaveLength(1_000)
  expect(names[0]).toEqual({ accountRemoteId: '0', kinds: ['comment', 'message'] })
})
