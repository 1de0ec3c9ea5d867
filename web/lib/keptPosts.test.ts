import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createKeptPosts, type HeldPosts, type Visit } from './keptPosts.ts'

const RIGHTS = 'aaaaaaaaaaaa'
const ADA: Visit = { userId: 'ada', projectId: 'one', projectIds: ['one', 'two'], rights: RIGHTS }
const DAY = 86_400_000
const row: HeldPosts['posts'][number] = {
  postId: '01a20000-0000-7000-8000-100000000011',
  status: 'SCHEDULED',
  at: '2026-11-10T10:00:00.000Z',
  dueAt: '2026-11-10T10:00:00.000Z',
  timezone: 'UTC',
  excerpt: 'A post',
  images: 0,
  version: 1,
  channel: null,
  draftChannels: [],
  series: null,
  failure: null,
  batchId: null,
  postType: 'post',
  author: null,
  labels: [],
  campaigns: [],
  permalink: null,
  ai: false,
}
const list = (count = 1, rights = RIGHTS): HeldPosts => ({
  posts: Array.from({ length: count }, () => row),
  tag: undefined,
  revision: `7.00000000.1.${rights}`,
  truncated: false,
  pagination: { currentPage: 1, totalPages: 1, totalCount: count },
})

let time: number
const open = (shape = 'release 1') => createKeptPosts({ shape, now: () => time })
beforeEach(() => {
  time = Date.UTC(2026, 10, 20)
  vi.stubGlobal('indexedDB', new IDBFactory())
})
afterEach(() => vi.unstubAllGlobals())

/** A browser in which Ada read this list. */
async function withList(key = 'month', held = list()) {
  const kept = open()
  await kept.enter(ADA)
  kept.save(key, ADA.projectId, held)
  await kept.flush()
  return kept
}

it('answers after a reload what was kept before', async () => {
  await withList()
  expect(await open().read('month', RIGHTS)).toEqual(list())
  expect(await open().read('week', RIGHTS)).toBeUndefined()
})

it('keeps what was read before it was known who reads', async () => {
  const kept = open()
  kept.save('month', ADA.projectId, list())
  await kept.flush()
  expect(await open().read('month', RIGHTS)).toBeUndefined()
  await kept.enter(ADA)
  expect(await open().read('month', RIGHTS)).toEqual(list())
})

describe('nothing foreign or stale', () => {
  it('is answered to rights other than those that the list was read with', async () => {
    await withList()
    expect(await open().read('month', 'bbbbbbbbbbbb')).toBeUndefined()
  })

  it('stays once another person enters', async () => {
    await withList()
    const kept = open()
    await kept.enter({ ...ADA, userId: 'ben', projectId: 'two', rights: 'bbbbbbbbbbbb' })
    expect(await kept.read('month', RIGHTS)).toBeUndefined()
  })

  it('stays of a project once the person has other rights there, or has left it', async () => {
    const kept = await withList()
    kept.save('month of two', 'two', list(1, 'cccccccccccc'))
    await kept.flush()
    await kept.enter({ ...ADA, rights: 'bbbbbbbbbbbb' })
    expect(await kept.read('month', RIGHTS)).toBeUndefined()
    expect(await kept.read('month of two', 'cccccccccccc')).toBeDefined()
    await kept.enter({ ...ADA, projectIds: ['one'] })
    expect(await kept.read('month of two', 'cccccccccccc')).toBeUndefined()
  })

  it('stays after a logout, or is written after one', async () => {
    const kept = await withList()
    kept.save('week', ADA.projectId, list())
    await kept.clear()
    kept.save('list', ADA.projectId, list())
    await kept.flush()
    for (const key of ['month', 'week', 'list']) expect(await open().read(key, RIGHTS), key).toBeUndefined()
  })

  it('is written by a tab whose person logged out in another one', async () => {
    const [here, there] = [await withList(), open()]
    await there.clear()
    here.save('month', ADA.projectId, list())
    await here.flush()
    expect(await open().read('month', RIGHTS)).toBeUndefined()
    await there.enter({ ...ADA, userId: 'ben' })
    here.save('month', ADA.projectId, list())
    await here.flush()
    expect(await open().read('month', RIGHTS)).toBeUndefined()
  })

  it('is answered of another release, or of more than a week ago', async () => {
    await withList()
    expect(await open('release 2').read('month', RIGHTS)).toBeUndefined()
    time += 8 * DAY
    expect(await open().read('month', RIGHTS)).toBeUndefined()
  })
})

it('keeps the newest 30 lists and 10,000 posts', async () => {
  const kept = await withList('0', list(2_000))
  for (let i = 1; i < 35; i += 1) {
    time += 1000
    kept.save(String(i), ADA.projectId, list())
    await kept.flush()
  }
  await kept.enter(ADA)
  const isThere = async (key: string) => (await open().read(key, RIGHTS)) !== undefined
  expect([await isThere('0'), await isThere('4'), await isThere('5'), await isThere('34')]).toEqual([
    false,
    false,
    true,
    true,
  ])
  for (let i = 0; i < 6; i += 1) {
    time += 1000
    kept.save(`large ${i}`, ADA.projectId, list(2_000))
    await kept.flush()
  }
  await kept.enter(ADA)
  expect([await isThere('34'), await isThere('large 0'), await isThere('large 1')]).toEqual([false, false, true])
})

it("writes a list whose posts didn't change only once in a while", async () => {
  const held = list()
  const kept = await withList('month', held)
  kept.save('month', ADA.projectId, { ...held, revision: `8.00000000.1.${RIGHTS}` })
  await kept.flush()
  expect((await open().read('month', RIGHTS))?.revision).toBe(held.revision)
  time += 11 * 60_000
  kept.save('month', ADA.projectId, { ...held, revision: `9.00000000.1.${RIGHTS}` })
  await kept.flush()
  expect((await open().read('month', RIGHTS))?.revision).toBe(`9.00000000.1.${RIGHTS}`)
})

it('keeps nothing, and fails nowhere, where the disk is full', async () => {
  const kept = await withList()
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('No room', 'QuotaExceededError')
  })
  kept.save('week', ADA.projectId, list())
  await kept.flush()
  await kept.enter(ADA)
  put.mockRestore()
  expect(await kept.read('week', RIGHTS)).toBeUndefined()
  expect(await kept.read('month', RIGHTS)).toEqual(list())
})

it.each([
  ['there is no database', undefined],
  [
    'it cannot be opened',
    {
      open: () => {
        throw new DOMException('The operation is insecure', 'SecurityError')
      },
    },
  ],
])('keeps nothing, and fails nowhere, where %s', async (_, factory) => {
  vi.stubGlobal('indexedDB', factory)
  const kept = open()
  await kept.enter(ADA)
  kept.save('month', ADA.projectId, list())
  await kept.flush()
  expect(await kept.read('month', RIGHTS)).toBeUndefined()
  await kept.clear()
})

it("doesn't wait for a database that never answers", async () => {
  vi.useFakeTimers()
  vi.stubGlobal('indexedDB', { open: () => new EventTarget() })
  const kept = open()
  const waiting = Promise.all([kept.read('month', RIGHTS), kept.clear()])
  await vi.advanceTimersByTimeAsync(1000)
  expect(await waiting).toEqual([undefined, undefined])
  vi.useRealTimers()
})
