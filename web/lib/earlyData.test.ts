import { beforeEach, afterEach, expect, it, vi } from 'vitest'

const EVENTS = { after: '7-0', readAt: '2026-11-20T12:00:00.000Z' }

beforeEach(() => {
  vi.resetModules()
  const text = JSON.stringify({ events: EVENTS, replies: { '/api/home': { name: 'Ada' }, '/api/plan': null } })
  vi.stubGlobal('document', { getElementById: (id: string) => (id === 'early' ? { textContent: text } : null) })
})
afterEach(() => vi.unstubAllGlobals())

it('returns each reply in the page once, and the cursor once', async () => {
  const { takeCursor, takeReply } = await import('./earlyData.ts')
  expect([takeReply('/api/home'), takeReply('/api/plan'), takeReply('/api/other')]).toEqual([
    { reply: { name: 'Ada' } },
    { reply: null },
    undefined,
  ])
  expect(takeReply('/api/home')).toBeUndefined()
  expect([takeCursor(), takeCursor()]).toEqual([EVENTS, {}])
})

it('answers a call without asking the server, until something changes', async () => {
  const fetched = vi.fn(async () => new Response('{"name":"Bea"}'))
  vi.stubGlobal('fetch', fetched)
  const { call } = await import('./client.ts')
  const { z } = await import('zod')
  const { endpoint, everybody } = await import('#contract/endpoint.ts')
  const shape = { summary: '', access: everybody, cost: 'light', audit: null, reply: z.looseObject({}) } as const
  const home = endpoint({ ...shape, method: 'GET', path: '/api/home', reads: [] })
  const rename = endpoint({ ...shape, method: 'POST', path: '/api/rename', changes: [] })
  expect(await call(home)).toEqual({ name: 'Ada' })
  expect(fetched).not.toHaveBeenCalled()
  expect(await call(home)).toEqual({ name: 'Bea' })

  vi.resetModules()
  const again = await import('./client.ts')
  await again.call(rename)
  expect(await again.call(home)).toEqual({ name: 'Bea' })
})
