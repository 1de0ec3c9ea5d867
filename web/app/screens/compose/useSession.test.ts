import { expect, test } from 'vitest'
import { emptyDoc } from '#web/features/compose/doc.ts'
import { beginWith, writtenBy, type Session } from './useSession.ts'

const now = new Date('2026-11-20T10:00:00Z')
const fresh: Session = {
  id: 'd',
  post: undefined,
  editing: false,
  version: 0,
  savedAt: undefined,
  doc: emptyDoc('Europe/Berlin', now),
  known: undefined,
  began: now,
  attachments: [],
  gone: 0,
  unfinished: [],
  restored: false,
}
const only = { channelId: 'a', platformName: 'mastodon' as const, zone: 'Asia/Tokyo', enabled: true }

test('a new post begins with the only channel of the project, in its zone', () => {
  const { doc } = beginWith(fresh, [only], 'Europe/Berlin')
  expect([doc.channelIds, doc.plan.when.zone]).toEqual([['a'], 'Asia/Tokyo'])
})

test('nobody chooses among several, or a channel that is switched off', () => {
  expect(beginWith(fresh, [only, { ...only, channelId: 'b' }], 'Europe/Berlin').doc.channelIds).toEqual([])
  expect(beginWith(fresh, [{ ...only, enabled: false }], 'Europe/Berlin').doc.channelIds).toEqual([])
})

test('what was written before keeps its channels', () => {
  expect(beginWith({ ...fresh, restored: true }, [only], 'Europe/Berlin').doc.channelIds).toEqual([])
})

test('what becomes of words that AI wrote is marked, once', () => {
  const doc = writtenBy({ ai: true }, fresh.doc)
  expect(doc.aiHelp).toEqual(['write'])
  expect(writtenBy({ ai: true }, doc)).toBe(doc)
  expect(writtenBy({ ai: false }, fresh.doc)).toBe(fresh.doc)
})
