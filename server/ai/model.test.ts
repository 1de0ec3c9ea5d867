import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startAiStub, type AiStub } from '../testing/aiStub.ts'
import { until } from '../testing/until.ts'
import { openModel } from './model.ts'

let stub: AiStub
beforeAll(async () => {
  stub = await startAiStub()
})
afterAll(() => stub.stop())
beforeEach(() => stub.reset())

const signal = new AbortController().signal
const question = {
  instructions: 'Count.',
  material: '{"posts":[]}',
  answer: z.object({ n: z.number() }),
  review: ({ n }: { n: number }) => (n > 9 ? [`${n} is over the limit of 9`] : []),
}
const ask = (env: { AI_BASE_URL?: string; AI_MODEL?: string } = {}) =>
  openModel({ AI_BASE_URL: stub.baseUrl, AI_API_KEY: 'the-key-of-the-test', AI_MODEL: 'small', ...env })?.ask(
    question,
    signal,
  )

describe('the endpoint', () => {
  it('receives a request at its URL, with its key and model, for an answer of that shape', async () => {
    stub.next({ json: { n: 3 } })
    expect(await ask()).toEqual({ kind: 'answer', answer: { n: 3 } })
    expect(stub.calls).toMatchObject([
      {
        path: '/v1/chat/completions',
        authorization: 'Bearer the-key-of-the-test',
        body: {
          model: 'small',
          messages: [
            { role: 'system', content: 'Count.' },
            { role: 'user', content: '{"posts":[]}' },
          ],
          response_format: { type: 'json_schema', json_schema: { schema: { properties: { n: { type: 'number' } } } } },
        },
      },
    ])
  })

  it("doesn't exist without a URL", () => expect(openModel({})).toBeUndefined())

  it('may not support response_format, and gets the same request in words', async () => {
    stub.next({ status: 400 }, { text: 'Of course:\n```json\n{"n": 4}\n```' })
    expect(await ask()).toEqual({ kind: 'answer', answer: { n: 4 } })
    expect(stub.calls.map(({ body }) => body.response_format?.type)).toEqual(['json_schema', undefined])
  })

  it.each([401, 403, 404])("that returns %s refuses: repeating wouldn't help", async (status) => {
    stub.always({ status, body: '{"error":{"message":"Incorrect API key: the-key-of-the-test"}}' })
    expect(await ask()).toEqual({
      kind: 'refused',
      why: 'misconfigured',
      log: `the AI endpoint answered ${status}`,
      status,
    })
    expect(stub.calls).toHaveLength(1)
  })

  it.each([
    [408, 'timeout'],
    [429, 'busy'],
    [500, 'unreachable'],
    [503, 'unreachable'],
  ] as const)('that answers %s is away (%s): it is the job that tries again', async (status, why) => {
    stub.always({ status })
    expect(await ask()).toEqual({ kind: 'away', why, log: `the AI endpoint answered ${status}`, status })
    expect(stub.calls).toHaveLength(1)
  })

  it('may drop the connection, or not be there', async () => {
    stub.always('drop')
    expect(await ask()).toMatchObject({ kind: 'away', why: 'unreachable' })
    expect(await ask({ AI_BASE_URL: 'http://127.0.0.1:1/v1' })).toMatchObject({ kind: 'away', why: 'unreachable' })
  })

  it("may not respond until the caller's timeout", async () => {
    const patience = new AbortController()
    stub.always({ held: new Promise(() => {}) })
    const asked = openModel({ AI_BASE_URL: stub.baseUrl, AI_MODEL: 'small' })?.ask(question, patience.signal)
    await until(() => stub.calls.length > 0 || undefined, { what: 'the question' })
    // as AbortSignal.timeout does
    patience.abort(new DOMException('The operation timed out.', 'TimeoutError'))
    expect(await asked).toMatchObject({ kind: 'away', why: 'timeout' })
  })

  it('is disconnected when the product stops', async () => {
    const stop = new AbortController()
    stub.always({ held: new Promise(() => {}) })
    const asked = openModel({ AI_BASE_URL: stub.baseUrl, AI_MODEL: 'small' })?.ask(question, stop.signal)
    stop.abort()
    expect(await asked).toMatchObject({ kind: 'away' })
  })
})

describe('an answer', () => {
  it("that can't be used is requested once more, with the problems listed", async () => {
    stub.next({ text: '{"n": "three"' }, { json: { n: 3 } })
    expect(await ask()).toEqual({ kind: 'answer', answer: { n: 3 } })
    expect(stub.calls[1]?.body.messages.slice(2)).toEqual([
      { role: 'assistant', content: '{"n": "three"' },
      { role: 'user', content: expect.stringContaining('This cannot be used') },
    ])
  })

  it('that is unusable twice is none', async () => {
    stub.always({ text: 'I would rather not.' })
    expect(await ask()).toMatchObject({ kind: 'away', why: 'unusable', log: expect.stringContaining('twice') })
    expect(stub.calls).toHaveLength(2)
  })

  it("that declines isn't requested again", async () => {
    stub.always({ text: "I'm sorry, but I can't help with that request." })
    expect(await ask()).toMatchObject({ kind: 'refused', why: 'declined' })
    expect(stub.calls).toHaveLength(1)
  })

  it.each([
    ['in a fence with words in braces after it', 'Sure!\n```json\n{"n": 3}\n```\nUse {curly braces} {as you like}.'],
    ['after an example in braces', 'The form is {"n": number}, so: {"n": 3}'],
    ['after an object of another shape', '{"thought": "three"} {"n": 3} {"n": 4}'],
    ['after thinking aloud', '<think>{"n": 1} would be wrong</think>{"n": 3}'],
    ['with braces in a text', '{"note": "a } and a \\" and a {", "n": 3}'],
    ['in another object', '{"answer": {"n": 3}, broken'],
  ])('is found %s', async (_, text) => {
    stub.always({ text })
    expect(await ask()).toEqual({ kind: 'answer', answer: { n: 3 } })
    expect(stub.calls).toHaveLength(1)
  })

  it('of nothing but braces takes no time', async () => {
    stub.always({ text: '{'.repeat(300_000) })
    expect(await ask()).toMatchObject({ kind: 'away', why: 'unusable' })
  })

  it('of the right shape is reviewed, and the caller handles what the second one still breaks', async () => {
    stub.next({ json: { n: 12 } }, { json: { n: 11 } })
    expect(await ask()).toEqual({ kind: 'answer', answer: { n: 11 } })
    expect(stub.calls[1]?.body.messages.at(-1)?.content).toContain('12 is over the limit of 9')
  })

  it('of the right shape is kept if the second try fails', async () => {
    stub.next({ json: { n: 12 } }, { status: 500 })
    expect(await ask()).toEqual({ kind: 'answer', answer: { n: 12 } })
  })
})

it("can't lead to other addresses, not even with a redirect", async () => {
  const other = await startAiStub()
  const { createServer } = await import('node:http')
  const redirecting = createServer(
    (_, response) => void response.writeHead(307, { location: `${other.baseUrl}/chat/completions` }).end(),
  )
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
  const address = redirecting.address()
  const port = typeof address === 'object' && address ? address.port : 0
  expect(await ask({ AI_BASE_URL: `http://127.0.0.1:${port}/v1` })).toMatchObject({ kind: 'away' })
  expect(other.calls).toEqual([])
  redirecting.close()
  await other.stop()
})

it("loads the SDK only when it's needed", () => {
  const script = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) })
    const { openModel } = await import('./server/ai/model.ts')
    const { aiJobs } = await import('./server/ai/writeDrafts.ts')
    aiJobs({ env: { AI_BASE_URL: 'http://127.0.0.1:1/v1', AI_MODEL: 'small' } })
    const isLoaded = () => seen.includes('ai')
    const before = isLoaded()
    const signal = new AbortController().signal
    await openModel({ AI_BASE_URL: 'http://127.0.0.1:1/v1', AI_MODEL: 'small' }).ask({ instructions: '', material: '-', answer: { safeParse: () => ({}) }, review: () => [] }, signal)
    console.log(before, isLoaded())`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '..', '..'),
  })
  expect([stdout.trim(), stderr]).toEqual(['false true', ''])
})
