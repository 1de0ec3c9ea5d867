import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { problem } from '../postProblems.ts'
import { adviceFor, because, catalog, sentenceOf, wordsOf } from './catalog.ts'
import { occasions, StoredReason } from './define.ts'
import { publishing } from './publishing.ts'

/* Every code that rows may store has a sentence, for every occasion, in the product's language. */

/** A sample value for a parameter of this kind, so that the sentence can be read. */
function sample(schema: unknown, name = ''): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return sample(schema.unwrap(), name)
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodNumber) return 90
  if (schema instanceof z.ZodBoolean) return true
  if (schema instanceof z.ZodLazy) return { code: 'channel-disconnected', params: { handle: 'Rook' } }
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([name, one]) => [name, sample(one, name)]))
  // what a platform said, and old texts, are whole sentences
  return ['words', 'sentence', 'advice'].includes(name) ? 'Rook.' : 'Rook'
}

/** With all parameters, and without optional ones. */
const reasons = [...catalog].flatMap(([code, { params }]) => {
  const full = z.record(z.string(), z.unknown()).parse(sample(params))
  const needed =
    params instanceof z.ZodObject
      ? Object.fromEntries(
          Object.entries(params.shape).flatMap(([name, one]) =>
            one instanceof z.ZodOptional ? [] : [[name, full[name]]],
          ),
        )
      : full
  return [
    { code, params: full },
    { code, params: needed },
  ]
})

/** Codes that only state a fact: there's nothing to do, or the screen next to it says what. */
const withoutAdvice =
  /^(ads-account-|boost-(post-type|post-deleted|deleted)$|follow-up-|unread$|channel-disconnected$|(edit|deletion)-(unconfirmed|failed)$)|-(people-search|people-closed)$/

const dialect =
  /\b(whoever|stands?|stood|mend(s|ed|ing)?|is told|are told|goes out|went out|go out|by (it|them)self|by (it|them)selves|takes? no|anew|signs|lies|does not|do not|is not|are not|cannot|can not|could not|did not|was not|will not)\b/i

describe('every reason of the catalog', () => {
  it.each(reasons)('$code has a sentence', (reason) => {
    expect(sentenceOf(reason)).toMatch(/^[\p{Lu}\d].*[.!?…]$/su)
    expect(sentenceOf(reason)).not.toMatch(/undefined|\[object|NaN|\$\{|\{\w+\}| {2}|:$|(?<!\.)\.\.(?!\.)/)
    expect(sentenceOf(reason)).not.toBe('Something went wrong.')
    expect(sentenceOf(reason)).not.toMatch(dialect)
  })

  it.each(reasons)("$code has advice for each occasion, if there's something to do", (reason) => {
    for (const occasion of occasions) {
      const advice = adviceFor(reason, occasion)
      if (advice === '') expect(reason.code).toMatch(withoutAdvice)
      else if (reason.code !== 'other') {
        expect(advice).toMatch(/^[A-Z].*[.]$/)
        expect(advice).not.toMatch(/undefined|\[object|NaN|\$\{|\{\w+\}| {2}/)
        expect(advice).not.toMatch(dialect)
      }
    }
  })

  it.each(reasons)('$code survives being stored', (reason) => {
    expect(wordsOf(StoredReason.parse(JSON.parse(JSON.stringify(reason))))).toBe(wordsOf(reason))
  })
})

describe('advice that depends on the occasion', () => {
  const remedies = [
    because('unreachable', { platform: 'X' }),
    because('slow-down', { platform: 'X' }),
    because('refused', { platform: 'X', doing: 'show-posts', words: 'No.' }),
  ]

  it('mentions a post only if there is one, and automatic retries only if we do them', () => {
    for (const reason of remedies)
      for (const occasion of occasions) {
        const advice = adviceFor(reason, occasion)
        if (!['post', 'edit', 'boost'].includes(occasion)) expect(advice).not.toMatch(/\bpost\b/)
        if (['connect', 'lookup', 'addition', 'edit', 'remove'].includes(occasion))
          expect(advice).not.toContain('automatically')
      }
  })

  it('depends on what was being done', () => {
    expect(remedies.map((reason) => adviceFor(reason, 'connect'))).toEqual([
      'Try again in a few minutes.',
      'Try again in a few minutes.',
      'Start again, or connect another account.',
    ])
  })
})

describe('a worded reason', () => {
  it('says what happened and what to do next', () => {
    expect(wordsOf(because('threads-video-too-long'))).toBe(
      'The video is longer than Threads accepts. Trim it to 5 minutes or less.',
    )
  })

  it('keeps the specified message for a failed first comment', () => {
    const reason = because('refused', { platform: 'X', doing: 'publish-comment', words: 'Too long.' })
    const warning = because('follow-up-failed', { followUp: { kind: 'comment', item: null }, because: reason })
    expect(sentenceOf(warning)).toBe('Failed to create first comment: X refused to publish the comment: Too long.')
  })

  it('names what delayed a late post, the limit, and what to fix first', () => {
    const waiting = because('channel-signed-out', { handle: '@rook', platform: 'X', minutes: 60 })
    expect(wordsOf(because('too-late', { minutes: 60, because: waiting, fix: 'reconnect' }))).toBe(
      "@rook is signed out of X. It wasn't published because it was more than 1 hour late. Reconnect the channel. Choose a new time, or send it now.",
    )
  })

  it('says why an approved post waits, as a sentence, with the next step', () => {
    const unfit = problem('file-too-large', { kind: 'image', bytes: 2_000_000 })
    expect(wordsOf(because('approved-but-not-accepted', { problem: unfit, next: 'edit' }))).toBe(
      'Image size cannot exceed 2 MB. Edit the post. It will be sent for approval again.',
    )
  })

  it('keeps texts from before reasons had codes', () => {
    expect(wordsOf({ code: 'other', params: { sentence: 'It was too long.', advice: 'Shorten it.' } })).toBe(
      'It was too long. Shorten it.',
    )
  })

  it.each([{ code: 'made-up' }, { code: 'unreachable' }, { code: 'unreachable', params: { platform: 7 } }])(
    "is general for what this version doesn't know: %j",
    (reason) => {
      expect(wordsOf(reason)).toBe('Something went wrong.')
    },
  )
})

describe('what may be stored', () => {
  it('is only created by because(), with a known code and its parameters', () => {
    // @ts-expect-error a code that the catalog does not have
    because('made-up')
    // @ts-expect-error a parameter is missing
    because('unreachable', {})
    // @ts-expect-error a sentence of an adapter's own
    const own: ReturnType<typeof because> = { code: 'other', params: { sentence: 'No.', advice: '' } }
    expect(own.code).toBe('other')
    expect(Object.keys(publishing)).not.toContain('other')
  })
})
