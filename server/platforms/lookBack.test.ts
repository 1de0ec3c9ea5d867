import { saying } from '../testing/reasons.ts'
import { describe, expect, it } from 'vitest'
import { lookBack, type ListPage, type LookBack } from './lookBack.ts'

type Item = { id: string; at: Date | null; text: string }
const since = new Date('2026-11-20T12:00:00Z')
const minutes = (count: number): Date => new Date(since.getTime() + count * 60_000)
const item = (id: number, at: Date | null, text = `another ${id}`): Item => ({ id: String(id), at, text })
/** Items from another tool, newest first: one per second, from `newest` minutes after the attempt. */
const others = (count: number, newest: number): Item[] =>
  Array.from({ length: count }, (_, index) => item(index, new Date(minutes(newest).getTime() - index * 1000)))

/** Serves a list in pages of ten, and counts them. */
function listOf(items: readonly Item[], more: Partial<LookBack<Item>> = {}) {
  const asked: (string | null)[] = []
  const search: LookBack<Item> = {
    label: 'Test',
    things: 'posts',
    since,
    isIt: ({ text }) => text === 'ours',
    order: 'newest first',
    mostPages: 20,
    page: async (cursor) => {
      asked.push(cursor)
      const start = Number(cursor ?? 0)
      const next = start + 10 < items.length ? String(start + 10) : null
      return { kind: 'page', items: items.slice(start, start + 10), next }
    },
    ...more,
  }
  return { asked, look: () => lookBack(search) }
}

describe('searching for a post after a lost response', () => {
  it('finds it behind several pages of newer posts', async () => {
    const { look, asked } = listOf([...others(45, 20), item(100, minutes(1), 'ours'), ...others(0, 0)])
    expect(await look()).toMatchObject({ kind: 'found', item: { id: '100' } })
    expect(asked).toEqual([null, '10', '20', '30', '40'])
  })

  it("proves that it's absent once a page reaches back to before the attempt", async () => {
    const old = Array.from({ length: 60 }, (_, index) => item(500 + index, minutes(-60 - index)))
    const { look, asked } = listOf([...others(15, 20), ...old])
    expect(await look()).toEqual({ kind: 'none' })
    expect(asked).toEqual([null, '10'])
  })

  it("proves that it's absent at the end of the list", async () => {
    expect(await listOf(others(12, 20)).look()).toEqual({ kind: 'none' })
    expect(await listOf([]).look()).toEqual({ kind: 'none' })
  })

  it("asks a person if the allowed pages don't reach back far enough", async () => {
    const { look, asked } = listOf(others(100, 30), { mostPages: 3 })
    expect(await look()).toMatchObject({ kind: 'rejected', reason: { platformCode: 'too-many-to-search' } })
    expect(asked).toHaveLength(3)
  })

  it('asks a person if the list starts over or repeats a page', async () => {
    const page = async (): Promise<ListPage<Item>> => ({ kind: 'page', items: others(10, 20), next: 'again' })
    expect(await listOf([], { page }).look()).toMatchObject({ kind: 'rejected' })
    const empty = async (): Promise<ListPage<Item>> => ({ kind: 'page', items: [], next: 'again' })
    expect(await listOf([], { page: empty }).look()).toMatchObject({ kind: 'rejected' })
  })

  it('skips empty pages in the middle of a list', async () => {
    const pages: Record<string, ListPage<Item>> = {
      '': { kind: 'page', items: [], next: 'b' },
      b: { kind: 'page', items: [item(1, minutes(1), 'ours')], next: null },
    }
    const page = async (cursor: string | null): Promise<ListPage<Item>> =>
      pages[cursor ?? ''] ?? { kind: 'page', items: [], next: null }
    expect(await listOf([], { page }).look()).toMatchObject({ kind: 'found' })
  })

  it("has no result if a page can't be read", async () => {
    const refused: ListPage<Item> = { kind: 'unknown', reason: saying('No.', 'None.') }
    const page = async (cursor: string | null): Promise<ListPage<Item>> =>
      cursor === null ? { kind: 'page', items: others(10, 20), next: 'b' } : refused
    expect(await listOf([], { page }).look()).toMatchObject({ kind: 'unknown' })
  })

  it('finds the oldest of several with the same text, even on a later page', async () => {
    const { look } = listOf([item(200, minutes(21), 'ours'), ...others(20, 20), item(100, minutes(1), 'ours')])
    expect(await look()).toMatchObject({ kind: 'found', item: { id: '100' } })
  })

  it("doesn't match an older post with the same text", async () => {
    expect(await listOf([item(1, minutes(-120), 'ours')]).look()).toEqual({ kind: 'none' })
  })

  it('asks a person about the same text shortly before the attempt, because clocks may differ', async () => {
    const reason = { platformCode: 'same-text' }
    expect(await listOf([item(1, minutes(-5), 'ours')]).look()).toMatchObject({ kind: 'rejected', reason })
    expect(await listOf([item(1, null, 'ours')]).look()).toMatchObject({ kind: 'rejected', reason })
  })

  it('reads a list without a guaranteed order to its end, or another day back if it looks sorted', async () => {
    const unsorted = [
      ...others(5, 20),
      item(300, minutes(-3000)),
      ...others(30, 10).map((one) => ({ ...one, id: `x${one.id}` })),
    ]
    const last = item(100, minutes(1), 'ours')
    const { look } = listOf([...unsorted, last], { order: 'not promised' })
    expect(await look()).toMatchObject({ kind: 'found', item: { id: '100' } })
    const sorted = Array.from({ length: 50 }, (_, index) => item(index, minutes(-200 * index)))
    const { look: early, asked } = listOf(sorted, { order: 'not promised' })
    expect(await early()).toEqual({ kind: 'none' })
    expect(asked).toHaveLength(1)
    // oldest first: a single page may look correctly ordered
    const oldestFirst = Array.from({ length: 5 }, (_, index) => item(index, minutes(-9000 + index)))
    const page = async (cursor: string | null): Promise<ListPage<Item>> => {
      const place = Number(cursor ?? 0)
      return { kind: 'page', items: oldestFirst.slice(place, place + 1), next: String(place + 1) }
    }
    expect(await listOf([], { order: 'not promised', page, mostPages: 4 }).look()).toMatchObject({ kind: 'rejected' })
  })

  it('stops once an entry is certainly ours', async () => {
    const { look, asked } = listOf([item(7, minutes(3), 'ours'), ...others(30, 2)], {
      isCertain: ({ id }) => id === '7',
    })
    expect(await look()).toMatchObject({ kind: 'found', item: { id: '7' } })
    expect(asked).toHaveLength(1)
  })
})
