import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listPosts } from '#contract/postLists.ts'
import { allChannels } from '#contract/channels.ts'
import { home, myPermissions } from '#contract/organizations.ts'
import { createChangeSink, refetchAccess, refetchSession } from './live.ts'
import { callOptions, keyOf } from './queries.ts'

const ids = { orgId: '0190a000-0000-7000-8000-000000000001', projectId: '0190a000-0000-7000-8000-000000000002' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('fetches each list once per burst of changes; ignores unknown messages; reset fetches everything', async () => {
  const queries = new QueryClient()
  const { queryKey: list, meta = {} } = callOptions(listPosts, { params: ids })
  queries.getQueryCache().build(queries, { queryKey: list, meta }).setData({})
  queries.setQueryData(['/api/home', {}, {}], {})
  const seen = vi.spyOn(queries, 'invalidateQueries')
  const sink = createChangeSink(queries)
  for (let i = 0; i < 50; i += 1) sink.take(JSON.stringify({ kind: 'post', ref: `p${i}` }))
  sink.take('nonsense')
  sink.take('{"kind":"of a newer server","ref":"1"}')
  await vi.runAllTimersAsync()
  expect(seen).toHaveBeenCalledTimes(1)
  expect([list, ['/api/home', {}, {}]].map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, false])
  // an endless stream of changes fetches the lists every three seconds, not once a message
  for (let i = 0; i < 120; i += 1) {
    sink.take('{"kind":"post","ref":"p"}')
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(seen.mock.calls.length).toBeLessThanOrEqual(6)
  // after a rest the next change is shown soon
  await vi.advanceTimersByTimeAsync(10_000)
  seen.mockClear()
  sink.take('{"kind":"post","ref":"p"}')
  await vi.advanceTimersByTimeAsync(150)
  expect(seen).toHaveBeenCalledTimes(1)
  sink.reset()
  expect(queries.getQueryState(['/api/home', {}, {}])?.isInvalidated).toBe(true)
})

test('a refused stream asks again what the person may do and what they belong to: either leads them away', () => {
  const queries = new QueryClient()
  const keys = [keyOf(home, {}), keyOf(myPermissions, { params: ids }), keyOf(listPosts, { params: ids })]
  for (const key of keys) queries.setQueryData(key, {})
  refetchAccess(queries)
  expect(keys.map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, true, false])
})

describe('a reopened stream', () => {
  const channels = keyOf(allChannels, { params: ids })
  const ofAda = () => {
    const queries = new QueryClient()
    queries.setQueryData(channels, { channels: ['of Ada'] })
    return queries
  }

  test("drops another person's data", async () => {
    const queries = ofAda()
    vi.spyOn(queries, 'fetchQuery').mockResolvedValue({ user: { userId: 'ben' } })
    expect(await refetchSession(queries, 'ada')).toBe('ben')
    expect(queries.getQueryData(channels)).toBeUndefined()
  })

  test("keeps the same person's, and if nothing responds", async () => {
    const queries = ofAda()
    const asked = vi.spyOn(queries, 'fetchQuery').mockResolvedValue({ user: { userId: 'ada' } })
    expect(await refetchSession(queries, 'ada')).toBe('ada')
    asked.mockRejectedValue(new TypeError('away'))
    expect(await refetchSession(queries, 'ada')).toBe('ada')
    expect(queries.getQueryData(channels)).toEqual({ channels: ['of Ada'] })
  })
})
