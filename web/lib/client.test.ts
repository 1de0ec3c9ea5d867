import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint, everybody } from '#contract/endpoint.ts'
import { addressOf, call, callIfChanged, isFailure } from './client.ts'
import { ApiFailure } from './failure.ts'

const readThing = endpoint({
  method: 'GET',
  path: '/api/:orgId/things/:thingId',
  summary: '',
  access: everybody,
  cost: 'light',
  reads: [],
  params: z.object({ orgId: z.string(), thingId: z.string() }),
  query: z.object({ status: z.array(z.string()).optional(), page: z.number().optional(), from: z.date().optional() }),
  reply: z.object({ name: z.string() }),
  audit: null,
})
const writeThing = endpoint({
  method: 'POST',
  path: '/api/things',
  summary: '',
  access: everybody,
  cost: 'light',
  changes: [],
  body: z.object({ name: z.string() }),
  reply: z.object({}),
  audit: { none: 'a test' },
})
const params = { orgId: 'o', thingId: 'a/b' }

/** Answers every request alike and records it. */
function answer(response: () => Response | Promise<Response>) {
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    asked.push({ url, init })
    return response()
  })
  return asked
}
const failure = async (promise: Promise<unknown>): Promise<ApiFailure> => {
  const error: unknown = await promise.then(
    () => new Error('it succeeded'),
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(ApiFailure)
  return error as ApiFailure // the line above says so
}

afterEach(() => vi.unstubAllGlobals())

test('encodes parameters, joins lists with commas, and leaves out empty values', () => {
  expect(addressOf(readThing, { params, query: { status: ['A', 'B'], page: 2, from: new Date(0) } })).toBe(
    '/api/o/things/a%2Fb?status=A%2CB&page=2&from=1970-01-01T00%3A00%3A00.000Z',
  )
  expect(addressOf(readThing, { params, query: { status: [] } })).toBe('/api/o/things/a%2Fb')
  expect(() => addressOf(readThing, { params: { orgId: '', thingId: 'x' } })).toThrow('needs the parameter orgId')
})

test("asks for a held reply by its tag, and returns nothing if it's unchanged", async () => {
  const headers = { etag: 'W/"two"' }
  const asked = answer(() => new Response(null, { status: 304, headers }))
  expect(await callIfChanged(readThing, 'W/"one"', { params })).toEqual({ reply: undefined, tag: 'W/"two"' })
  expect(new Headers(asked[0]?.init.headers).get('if-none-match')).toBe('W/"one"')
  answer(() => Response.json({ name: 'x' }, { headers }))
  expect(await callIfChanged(readThing, undefined, { params })).toEqual({ reply: { name: 'x' }, tag: 'W/"two"' })
})

test('sends credentials, the body as JSON and the key, and returns the parsed reply', async () => {
  const asked = answer(() => Response.json({}))
  await expect(call(writeThing, { body: { name: 'x' }, idempotencyKey: 'k' })).resolves.toEqual({})
  const headers = new Headers(asked[0]?.init.headers)
  expect(asked[0]).toMatchObject({
    url: '/api/things',
    init: { method: 'POST', credentials: 'include', body: '{"name":"x"}' },
  })
  expect([headers.get('content-type'), headers.get('idempotency-key')]).toEqual(['application/json', 'k'])
})

test('throws everything in the problem document', async () => {
  const problem = {
    type: 'about:blank',
    title: 'Bad input',
    status: 400,
    detail: 'See the fields.',
    code: 'BAD_INPUT',
    errors: { name: ['too long'] },
    requestId: 'r1',
  }
  answer(() => Response.json(problem, { status: 400 }))
  expect(await failure(call(writeThing, { body: { name: 'x' } }))).toMatchObject({
    code: 'BAD_INPUT',
    status: 400,
    title: 'Bad input',
    detail: 'See the fields.',
    errors: { name: ['too long'] },
    requestId: 'r1',
  })
})

test("has no message for a response that isn't a problem document, such as a proxy's page", async () => {
  answer(() => new Response('<h1>Bad Gateway</h1>', { status: 502, statusText: 'Bad Gateway' }))
  expect(await failure(call(readThing, { params }))).toMatchObject({
    code: 'UNREADABLE',
    status: 502,
    detail: undefined,
  })
})

test('names the limit of a proxy that refuses a request for its size', async () => {
  answer(() => new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 }))
  expect(await failure(call(readThing, { params }))).toMatchObject({
    code: 'PAYLOAD_TOO_LARGE',
    detail: expect.stringMatching(/^This is more than the proxy in front of Rookery lets through\./),
  })
})

test('uses the code of an incomplete problem document', async () => {
  answer(() => Response.json({ code: 'UNAUTHORIZED' }, { status: 401 }))
  expect(await failure(call(readThing, { params }))).toMatchObject({ code: 'UNAUTHORIZED', status: 401 })
})

test('throws NETWORK without a response, and for one cut off halfway', async () => {
  answer(() => Promise.reject(new TypeError('Failed to fetch')))
  expect((await failure(call(readThing, { params }))).code).toBe('NETWORK')
  answer(() => new Response(new ReadableStream({ start: (c) => c.error(new TypeError('cut')) })))
  expect((await failure(call(readThing, { params }))).code).toBe('NETWORK')
})

test("throws the caller's own AbortError for a canceled call", async () => {
  const cancel = new AbortController()
  cancel.abort()
  answer(() => Promise.reject(new DOMException('canceled', 'AbortError')))
  await expect(call(readThing, { params, signal: cancel.signal })).rejects.toMatchObject({ name: 'AbortError' })
})

test('waits long for a response, but not forever', async () => {
  vi.useFakeTimers()
  try {
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
        ),
    )
    let said: ApiFailure | undefined
    void failure(call(readThing, { params })).then((late) => (said = late))
    await vi.advanceTimersByTimeAsync(59_000)
    expect(said).toBeUndefined()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(said).toMatchObject({ code: 'TIMEOUT', detail: "Rookery didn't respond in time. Try again." })
    // a change may take longer, and may have been done
    const changing = failure(call(writeThing, { body: { name: 'x' } }))
    await vi.advanceTimersByTimeAsync(181_000)
    expect((await changing).detail).toContain('check before you try again')
    // the caller's own end stays one
    const cancel = new AbortController()
    const canceled = call(readThing, { params, signal: cancel.signal })
    cancel.abort()
    await expect(canceled).rejects.toMatchObject({ name: 'AbortError' })
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('ends a response that begins and never ends', async () => {
  vi.useFakeTimers()
  try {
    vi.stubGlobal(
      'fetch',
      async (_: string, { signal }: RequestInit) =>
        new Response(
          new ReadableStream({
            start: (c) => signal?.addEventListener('abort', () => c.error(new DOMException('aborted', 'AbortError'))),
          }),
        ),
    )
    const stuck = failure(call(readThing, { params }))
    await vi.advanceTimersByTimeAsync(61_000)
    expect((await stuck).code).toBe('TIMEOUT')
  } finally {
    vi.useRealTimers()
  }
})

test("throws for a success that breaks the contract or isn't JSON, and never passes it on", async () => {
  vi.spyOn(console, 'error').mockImplementationOnce(() => undefined)
  answer(() => Response.json({ name: 7 }))
  expect((await failure(call(readThing, { params }))).code).toBe('BAD_REPLY')
  answer(() => new Response('<!doctype html>'))
  expect((await failure(call(readThing, { params }))).code).toBe('UNREADABLE')
})

test('accepts the other spelling of an expired code', async () => {
  answer(() => Response.json({ code: 'CODE_EXPIRED' }, { status: 400 }))
  expect((await failure(call(readThing, { params }))).code).toBe('EXPIRED_CODE')
})

test('isFailure tells codes apart', () => {
  const failed = new ApiFailure({ code: 'NOT_FOUND', status: 404, title: '', detail: '' })
  expect([
    isFailure(failed),
    isFailure(failed, 'NOT_FOUND'),
    isFailure(failed, 'FORBIDDEN'),
    isFailure(new Error('x')),
  ]).toEqual([true, true, false, false])
})
