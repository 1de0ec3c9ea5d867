import { adviceFor, sentenceOf, type Reason } from '#contract/failures/catalog.ts'
import { describe, expect, it } from 'vitest'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { known, type Known } from '../testing/errors/codes.ts'
import { codesInFacts, factsFile } from '../testing/errors/facts.ts'
import { CANARY, stages, type Said, type Stage } from '../testing/errors/stages.ts'
import type { Step } from '../testing/scriptedFetch.ts'
import { sentence } from './quotes.ts'

/* What a person reads for each known error code of a platform: the reason, and one thing to do. */

/** The stage is checked where the table is written. */
type Asked = Omit<Known, 'at'> & { at: string }

const all = platformKeys.flatMap((platform) =>
  known[platform].map((one: Asked) => ({ platform, ...one, name: `${platform} ${one.code}, ${one.at}` })),
)
const stagesOf = (platform: PlatformKey): Readonly<Record<string, Stage>> => stages[platform]
const stepsOf = ({ says }: Pick<Asked, 'says'>): readonly Step[] => ('length' in says ? says : [says])

async function ask(platform: PlatformKey, at: string, steps: readonly Step[]): Promise<Said> {
  const stage = stagesOf(platform)[at]
  if (!stage) throw new Error(`${platform} has no stage ${at}`)
  return await stage(steps)
}

function outcomeOf({ kind, first, closesBudget }: Said): string {
  if (kind !== 'retry') return kind
  return closesBudget ? 'close' : (first ?? 'retry')
}

const textOf = (reason: Reason | undefined): string => (reason ? sentenceOf(reason) : '')

/** Readable for anyone: short, whole sentences, no token, no markup, no invisible characters. */
function expectReadable({ reason }: Said): void {
  const { platformCode = '' } = reason ?? {}
  for (const words of [textOf(reason), reason ? adviceFor(reason) : '']) {
    expect(words.length, words).toBeGreaterThan(8)
    expect(words.length, words).toBeLessThan(400)
    expect(words, words).toMatch(/^(?:[\p{Lu}\d@]|rook\.example\b).*[.!?…]$/su)
    expect(words, words).not.toMatch(/[\p{Cc}\p{Cf}]|<\/?[a-z]/iu)
    expect(words, words).not.toContain(CANARY)
    expect(words, words).not.toContain(CANARY.slice(7))
  }
  expect(platformCode).toMatch(/^[\w.:/#-]{1,60}$/)
}

describe('each error code of a platform leads to its reason', () => {
  it.each(all)('$name', async ({ platform, at, told, outcome, ...one }) => {
    const said = await ask(platform, at, stepsOf(one))
    expect({ outcome: outcomeOf(said), told: said.reason?.code }).toEqual({ outcome, told })
    expectReadable(said)
    // the platform names the wait, or else we do
    if (outcome === 'close') expect(said.afterSeconds).toBeGreaterThan(0)
    // after a lost answer, it is evidence that the post arrived
    if (one.column === 'duplicate') expect(said).toMatchObject({ isDuplicate: true })
  })
})

/** Codes that no response to our calls can contain, and why. */
const elsewhere: Partial<Record<PlatformKey, readonly string[]>> = {
  // not a failure: the next request carries the nonce (dpop.test.ts). The others are from the video service, which
  // isn't used here: videos go to the account's server
  bluesky: ['use_dpop_nonce', 'validation_failure', 'encoding_failure', 'pds_upload_unsupported_blob_size'],
}

const facts = codesInFacts()
if (!facts)
  process.stdout.write(`Codes were not held against the facts about the platforms, which are not at ${factsFile}.\n`)

it.runIf(facts)('includes every code in the collected facts', () => {
  const missing = (facts ?? []).filter(
    ({ platform, column, code }) =>
      !elsewhere[platform]?.includes(code) &&
      !known[platform].some((one: Asked) => covers(one, code) && one.column === column),
  )
  expect(missing).toEqual([])
  expect(facts?.length).toBeGreaterThan(120)
})

/** By its name, by its status, or by the number in one of Meta's responses. */
function covers(one: Pick<Asked, 'code' | 'says'>, code: string): boolean {
  if (one.code === code) return true
  return stepsOf(one).some(
    ({ status = 200, json }) =>
      String(status) === code ||
      (typeof json === 'object' &&
        json !== null &&
        'error' in json &&
        typeof json.error === 'object' &&
        json.error !== null &&
        'code' in json.error &&
        String(json.error.code) === code),
  )
}

describe('an unknown code', () => {
  const page = `<html><head><style>p { color: red }</style><script>alert("${CANARY}")</script></head><body><p class="x">Something <b>odd</b> happened&nbsp;here</p>`
  const nasty = `${page}\u0000\u0007\u202e\u2066 Bearer ${CANARY} eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln https://api.example/x?access_token=${CANARY} ${'long '.repeat(2000)}`
  const oddCode = `<b>${'odd_'.repeat(50)}`
  const unknown: { [P in PlatformKey]: readonly (readonly [at: keyof (typeof stages)[P] & string, says: Step])[] } = {
    facebook: [['send', { status: 400, json: { error: { message: nasty, code: 987_654 } } }]],
    instagram: [
      ['container', { status: 400, json: { error: { message: nasty, code: 987_654, error_user_msg: nasty } } }],
      ['state', { json: { id: '900', status_code: 'ERROR', status: nasty } }],
    ],
    threads: [
      ['container', { status: 400, json: { error: { message: nasty, code: 987_654 } } }],
      ['state', { json: { id: '900', status: 'ERROR', error_message: nasty } }],
    ],
    linkedin: [['send', { status: 400, json: { status: 400, message: nasty, code: oddCode } }]],
    x: [
      [
        'send',
        {
          status: 400,
          json: { title: 'Title', detail: nasty, type: `https://api.x.com/2/problems/${oddCode}`, status: 400 },
        },
      ],
    ],
    youtube: [
      [
        'begin',
        { status: 400, json: { error: { code: 400, message: nasty, errors: [{ reason: oddCode, message: nasty }] } } },
      ],
    ],
    googlemybusiness: [['send', { status: 400, json: { error: { code: 400, message: nasty, status: oddCode } } }]],
    pinterest: [
      ['send', { status: 400, json: { code: 987_654, message: nasty } }],
      ['send', { status: 403, json: { code: 987_654, message: nasty } }],
    ],
    tiktok: [
      ['send', { status: 400, json: { error: { code: 'odd_code', message: nasty, log_id: 'x' } } }],
      [
        'poll',
        { json: { data: { status: 'FAILED', fail_reason: nasty }, error: { code: 'ok', message: '', log_id: 'x' } } },
      ],
    ],
    mastodon: [
      ['send', { status: 422, json: { error: nasty } }],
      ['send', { status: 403, json: { error: `Your login is currently disabled ${nasty}` } }],
    ],
    bluesky: [
      ['send', { status: 400, json: { error: 'OddError', message: nasty } }],
      ['upload', { status: 400, json: { error: 'x'.repeat(500), message: nasty } }],
    ],
  }
  const cases = platformKeys.flatMap((platform) => unknown[platform].map(([at, says]) => ({ platform, at, says })))

  /** The record that was refused is looked up. */
  const notThere: Step = { status: 400, json: { error: 'RecordNotFound', message: 'Could not locate record' } }

  it.each(cases)("$platform, $at: keeps the platform's words, short and safe", async ({ platform, at, says }) => {
    const said = await ask(platform, at, [says, ...(platform === 'bluesky' && at === 'send' ? [notThere] : [])])
    // a container without a known code may succeed the next time
    if (said.kind === 'preparing') return
    expect(said.kind).toMatch(/rejected|reconnect/)
    expect(textOf(said.reason)).toMatch(/Something odd happened here/)
    expectReadable(said)
  })

  it.each(cases)(
    '$platform, $at: refuses no post because of a response in an unknown format',
    async ({ platform, at }) => {
      const said = await ask(platform, at, [{ status: 403, text: page, unchecked: true }])
      expect(said.kind).toMatch(/retry|unknown/)
      expectReadable(said)
    },
  )

  it.each(['UNKNOWN for no reason', nasty])(
    'is shown as at most a word after files failed repeatedly',
    async (problem) => {
      const said = await ask('threads', 'lastState', [{ json: { id: '900', status: 'ERROR', error_message: problem } }])
      expect(said).toMatchObject({
        kind: 'rejected',
        reason: {
          code: 'files-not-finished',
          platformCode: expect.stringMatching(/^(UNKNOWN|ERROR)$/),
        },
      })
      expectReadable(said)
    },
  )
})

describe("a platform's words", () => {
  it.each([
    ['Invalid parameter', 'Invalid parameter.'],
    ['Too fast!', 'Too fast!'],
    ['You have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.', 'You have exceeded your quota.'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2.'],
    [
      'Invalid record: Record/embed/images/0/image must be a blob',
      'Invalid record: Record/embed/images/0/image must be a blob.',
    ],
    [
      'Content is a duplicate of urn:li:share:7000000000000000000',
      'Content is a duplicate of urn:li:share:7000000000000000000.',
    ],
    ['Error validating access token EAABsbCS1iHgBAKZC8ZAx9: ended', 'Error validating access token …: ended.'],
    ['see https://x.example/a?access_token=12345', 'see https://x.example/a.'],
    ['bearer: ab12cd34ef', 'bearer: …'],
    ['The token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln ended', 'The token … ended.'],
    ['the access token expired', 'the access token expired.'],
    ['a\n\tb\u0000c\u202e', 'a b c.'],
    ['', '.'],
  ])('%j', (message, shown) => {
    expect(sentence(message)).toBe(shown)
  })

  it('are cut between characters, however long they are', () => {
    const shown = sentence('🐦'.repeat(5000))
    expect(Array.from(shown)).toHaveLength(300)
    expect(shown.isWellFormed()).toBe(true)
    expect(shown.endsWith('…')).toBe(true)
  })
})
