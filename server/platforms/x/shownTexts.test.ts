import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keepSignedIn, signIn, type Channel } from '../../testing/adapter/channel.ts'
import { publishLike } from '../../testing/adapter/publishLike.ts'
import { later, standing } from '../../testing/adapter/standsOnce.ts'
import { outgoingPost } from '../../testing/outgoing.ts'
import { visitPlatforms, type Visitor } from '../../testing/visitor.ts'
import { createX } from './adapter.ts'

/*
 * X shows texts in its own way, and after a lost answer the text is all that tells whether a post exists. Here nothing
 * else prevents a second one: the simulated X accepts duplicates.
 */

let visit: Visitor
let channel: Channel
beforeAll(async () => {
  visit = await visitPlatforms()
  channel = await signIn(visit, createX())
  visit.platform('x').state.switches.add('no idempotency')
})
beforeEach(() => keepSignedIn(channel, visit.clock.now))
afterAll(() => visit.stop())

const texts: [name: string, text: string][] = [
  ['a bare name', 'Our rook nests at example.com this spring'],
  ['a bare name and a path with a query', 'Read example.org/birds?kind=rook&year=2026 today'],
  ['brands that are names', 'Booking.com, ASP.NET and monday.com walk into a bar'],
  ['a bare name alone', 'rook-example.com'],
  ['only URLs, of both kinds', 'https://example.com/first example.net/second'],
  ['a bare name at the end of a sentence', 'It is all on example.com.'],
  ['a bare name between words of a script without spaces', '詳しくはexample.comを見てください'],
  ['a name in another script', 'Nester unter bücher.example.com und auf https://müller.de/straße'],
  ['a URL with a sign that replacements know', "Search https://example.com/?q=$&x=$'y and $1"],
  ['what X escapes', 'Rooks & crows: 1 < 2 > 0, "quoted" and \'said\''],
  ['what looks like escaped already', 'Write &amp; for &, and &lt; for <, even &amp;lt;'],
  ['decomposed accents', 'Cre\u0300me bru\u0302le\u0301e at example.com'],
  ['a name in capitals', 'HTTPS://EXAMPLE.COM/Path and EXAMPLE.COM'],
  ['an address that is no link', 'Write to rook@example.com or see example.com'],
  ['white space at both ends and several spaces', '  Two  spaces\n\n\nand example.com \n'],
  ['a mention, a tag and a bare name', '@sparrow look at #rooks on example.com'],
]

describe('finds a post whose answer was lost, and sends it once:', () => {
  it.each(texts)('%s', async (_name, text) => {
    const { faults, state } = visit.platform('x')
    await later(visit, channel)
    const before = standing(visit, channel).length
    const words = text.trim()
    faults.add({ on: 'POST api.x.com/2/tweets', drop: 'after' })
    const { remoteId } = await publishLike(channel, visit.clock, outgoingPost({ text: words }))
    faults.clear()
    expect(standing(visit, channel)).toHaveLength(before + 1)
    expect(state.post(remoteId).text).toBe(words)
  })

  it.each(texts)('as a thread item and a first comment, too: %s', async (_name, text) => {
    const { faults } = visit.platform('x')
    for (const nth of [1, 2]) {
      await later(visit, channel)
      const before = standing(visit, channel).length
      faults.add({ on: 'POST api.x.com/2/tweets', drop: 'after', after: nth })
      const contents = [`Above ${nth}`, text].map((words) => ({ text: words, media: [] }))
      await publishLike(channel, visit.clock, outgoingPost({ contents, firstComment: `${text} ${nth}` }))
      faults.clear()
      expect(standing(visit, channel)).toHaveLength(before + 3)
    }
  })
})

it.each([
  // X may have rewritten the URL, so a person is asked
  ['another bare name', 'Our rook nests at example.com', 'Our rook nests at example.org', { kind: 'rejected' }],
  ['another path', 'https://example.com/one', 'https://example.com/two', { kind: 'absent' }],
  ['a word where the other has a URL', 'Look at it now', 'Look at example.com now', { kind: 'absent' }],
  ['one URL fewer', 'Look at example.com', 'Look at example.com example.org', { kind: 'absent' }],
])('takes no other post for the lost one: %s', async (_name, lost, other, result) => {
  await later(visit, channel)
  await publishLike(channel, visit.clock, outgoingPost({ text: other }))
  const { reach, secret, account } = channel
  const asked = outgoingPost({ text: lost, createdAt: new Date(visit.clock.now - 3_600_000) })
  const answer = await channel.platform.publish.reconcile(reach, secret, account, asked)
  expect(answer).toMatchObject(result)
})
