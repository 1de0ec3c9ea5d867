import { sentenceOf } from '#contract/failures/catalog.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { describe, expect, it } from 'vitest'
import type { SafeAnswer } from '../safeHttp.ts'
import { refusalOf } from './refusals.ts'
import { CreatedRecord } from './schemas.ts'
import { xrpc } from './xrpc.ts'

/** Answers as they came from servers, each with the class that it means for a send and for any other call. */
const Captured = z.array(
  z.object({
    what: z.string(),
    status: z.int(),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string(),
    send: z.looseObject({ kind: z.string() }),
    other: z.looseObject({ kind: z.string() }),
  }),
)
const captured = Captured.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', 'answers.json'), 'utf8')))

async function classify(answer: SafeAnswer, irreversible: boolean) {
  const reach = { fetch: async () => answer, signal: new AbortController().signal }
  const failed = await xrpc(reach, {
    service: 'https://pds.example',
    nsid: 'com.atproto.repo.createRecord',
    json: {},
    reply: CreatedRecord,
    timeoutMs: 1000,
  })
  if (failed.kind === 'ok') throw new Error('understood')
  return refusalOf(failed, { doing: 'publish-post', irreversible })
}

describe('classes of failure', () => {
  it.each(captured)('$what', async ({ status, headers, body, send, other }) => {
    const answer: SafeAnswer = { kind: 'answer', status, headers, body: Buffer.from(body), url: 'https://pds.example' }
    expect(await classify(answer, true)).toMatchObject(send)
    expect(await classify(answer, false)).toMatchObject(other)
  })

  it.each([
    ['unsent', { kind: 'unsent', why: 'unreachable', detail: 'refused' }, 'retry', 'retry'],
    ['a refused address', { kind: 'unsent', why: 'address-refused', detail: '10.0.0.1' }, 'retry', 'retry'],
    ['withdrawn', { kind: 'unsent', why: 'aborted', detail: 'no longer wanted' }, 'retry', 'retry'],
    ['dropped', { kind: 'lost', why: 'dropped', detail: 'closed' }, 'unknown', 'retry'],
    ['too slow', { kind: 'lost', why: 'timeout', detail: '20 s' }, 'unknown', 'retry'],
    ['a redirect', { kind: 'lost', why: 'redirect', detail: '302' }, 'unknown', 'retry'],
    ['too large', { kind: 'lost', why: 'too-large', detail: '2 MB' }, 'unknown', 'retry'],
  ] as const)('%s', async (_, answer, send, other) => {
    expect((await classify(answer, true)).kind).toBe(send)
    expect((await classify(answer, false)).kind).toBe(other)
  })

  it.each<Record<string, string>>([
    { 'retry-after': '9'.repeat(400) },
    { 'ratelimit-reset': '9'.repeat(20), date: 'Sat, 21 Nov 2026 12:00:00 GMT' },
  ])('waits at most a day, whatever the server says', async (headers) => {
    expect(
      await classify({ kind: 'answer', status: 429, headers, body: Buffer.from('{}'), url: '' }, true),
    ).toMatchObject({ kind: 'retry', afterSeconds: 86_400 })
  })

  it('never shows more than one sentence from the server', async () => {
    const refusal = await classify(
      {
        kind: 'answer',
        status: 400,
        headers: {},
        body: Buffer.from(JSON.stringify({ error: 'InvalidRequest', message: `a\n${'b'.repeat(5000)}` })),
        url: '',
      },
      true,
    )
    expect(sentenceOf(refusal.reason).length).toBeLessThan(400)
    expect(sentenceOf(refusal.reason)).not.toContain('\n')
  })
})
