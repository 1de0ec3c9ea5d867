import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { callOptions } from './queries.ts'

const count = endpoint({
  method: 'GET',
  path: '/api/count',
  summary: 'Count',
  access: { kind: 'public' },
  cost: 'light',
  reads: [],
  revisioned: 'conversations',
  reply: z.object({ n: z.int() }),
  audit: null,
})

afterEach(() => vi.unstubAllGlobals())

/** Answers in turn with these, and returns the tags that are asked with. */
function answer(...responses: Response[]): (string | null)[] {
  const asked: (string | null)[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    asked.push(new Headers(init.headers).get('if-none-match'))
    return responses.shift() ?? Response.error()
  })
  return asked
}
const tagged = (n: number, etag: string) => Response.json({ n }, { headers: { etag } })
const unchanged = (etag: string) => new Response(null, { status: 304, headers: { etag } })

test('keeps a cached reply that is unchanged, and asks with the tag of the last answer', async () => {
  const queries = new QueryClient()
  const options = { ...callOptions(count, {}), staleTime: 0 }
  const asked = answer(tagged(1, 'W/"a"'), unchanged('W/"b"'), tagged(2, 'W/"c"'), unchanged('W/"c"'))
  const replies = []
  for (let i = 0; i < 4; i += 1) replies.push(await queries.fetchQuery(options))
  expect(replies).toEqual([{ n: 1 }, { n: 1 }, { n: 2 }, { n: 2 }])
  expect(asked).toEqual([null, 'W/"a"', 'W/"b"', 'W/"c"'])
})

test('reads the whole reply again after a change in the cache', async () => {
  const queries = new QueryClient()
  const options = { ...callOptions(count, {}), staleTime: 0 }
  const asked = answer(tagged(1, 'W/"a"'), tagged(1, 'W/"a"'))
  await queries.fetchQuery(options)
  queries.setQueryData(options.queryKey, { n: 5 })
  expect(await queries.fetchQuery(options)).toEqual({ n: 1 })
  expect(asked).toEqual([null, null])
})
