import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shownOnBluesky } from '#contract/platforms/blueskySpans.ts'
import { describe, expect, it } from 'vitest'
import type { MediaFile } from '../platform.ts'
import { bytesOf, outgoing } from './fixtures/outgoing.ts'
import { composeRecord, facetsOf, mentionedHandles, type PostRecord } from './record.ts'
import { Prepared } from './schemas.ts'

const ALICE = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz'
const none = Prepared.parse({})
const file = (assetId: string, more: Partial<MediaFile> = {}): MediaFile => ({
  assetId,
  fileName: 'file.jpg',
  contentType: 'image/jpeg',
  bytes: 10,
  width: 4,
  height: 3,
  seconds: null,
  altText: 'alt',
  ...bytesOf(new Uint8Array(10)),
  ...more,
})
const blob = (size = 10) => ({
  $type: 'blob' as const,
  ref: { $link: 'bafkreibjfgx2gprinfvicegelk5kosd6y2frmqpqzwqkg7usac74l3t2v4' },
  mimeType: 'image/jpeg',
  size,
})
const card = { uri: 'https://example.com', title: 'T', description: 'D', imageAssetId: null }

describe('facets', () => {
  it('count bytes of UTF-8', () => {
    expect(facetsOf(shownOnBluesky('👩‍👩‍👧‍👦ü #tag'), none.dids)).toEqual([
      { index: { byteStart: 28, byteEnd: 32 }, features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'tag' }] },
    ])
  })

  it("contain a mention's account, and leave unknown handles plain", () => {
    const dids = { 'alice.test': ALICE, 'nobody.test': null }
    expect(facetsOf(shownOnBluesky('@Alice.test @nobody.test @other.test'), dids)).toEqual([
      { index: { byteStart: 0, byteEnd: 11 }, features: [{ $type: 'app.bsky.richtext.facet#mention', did: ALICE }] },
    ])
  })

  it('carry the whole address of a link that is shown shortened', () => {
    const [long, longer] = ['https://example.com/a/long/path?to=ü#it', 'https://日本.jp/とても/長い']
    const record = composeRecord(outgoing(`Ü ${long} (@alice.test ${longer}). #Ü $ab`), {
      ...none,
      dids: { 'alice.test': ALICE },
    })
    const { text = '', facets = [] } = record ?? {}
    const bytes = Buffer.from(text)
    expect(text).toBe('Ü example.com/a/long/path?... (@alice.test xn--wgv71a.jp/%E3%81%A8%E3...). #Ü $ab')
    expect(
      facets.map(({ index, features: [feature] }) => [
        bytes.subarray(index.byteStart, index.byteEnd).toString(),
        feature,
      ]),
    ).toEqual([
      ['example.com/a/long/path?...', { $type: 'app.bsky.richtext.facet#link', uri: long }],
      ['@alice.test', { $type: 'app.bsky.richtext.facet#mention', did: ALICE }],
      ['xn--wgv71a.jp/%E3%81%A8%E3...', { $type: 'app.bsky.richtext.facet#link', uri: longer }],
      ['#Ü', { $type: 'app.bsky.richtext.facet#tag', tag: 'Ü' }],
      ['$ab', { $type: 'app.bsky.richtext.facet#tag', tag: '$AB' }],
    ])
  })

  it('look up each handle once', () =>
    expect(mentionedHandles('@a.test @A.test @b.test')).toEqual(['a.test', 'b.test']))
})

describe('composing', () => {
  it('requires every picture to be uploaded', () => {
    const post = outgoing('', { media: [file('a'), file('b')] })
    expect(composeRecord(post, { ...none, blobs: { a: blob() } })).toBeUndefined()
    expect(composeRecord(post, { ...none, blobs: { a: blob(), b: blob() } })?.embed).toMatchObject({
      $type: 'app.bsky.embed.images',
    })
  })

  it("requires the card's picture to be uploaded", () => {
    const post = outgoing('', { details: { linkCard: { ...card, imageAssetId: 'c' } } })
    expect(composeRecord(post, none)).toBeUndefined()
    expect(composeRecord(post, { ...none, blobs: { c: blob() } })?.embed).toMatchObject({ external: { thumb: blob() } })
  })

  it('embeds pictures rather than a card', () => {
    const post = outgoing('', { media: [file('a')], details: { linkCard: card } })
    expect(composeRecord(post, { ...none, blobs: { a: blob() } })?.embed?.$type).toBe('app.bsky.embed.images')
  })

  it('leaves out an unknown aspect ratio, and a removed card', () => {
    const post = outgoing('', { media: [file('a', { width: null })] })
    expect(composeRecord(post, { ...none, blobs: { a: blob() } })?.embed).toEqual({
      $type: 'app.bsky.embed.images',
      images: [{ image: blob(), alt: 'alt' }],
    })
    expect(composeRecord(outgoing('x', { details: { linkCard: null } }), none)).not.toHaveProperty('embed')
  })
})

const records: [string, PostRecord | undefined][] = [
  ['text', composeRecord(outgoing('Hello', { details: { languages: ['en', 'pt-BR'] } }), none)],
  [
    'facets',
    composeRecord(outgoing('👋 @alice.test https://example.com/ü example.org #größe'), {
      ...none,
      dids: { 'alice.test': ALICE },
    }),
  ],
  [
    'four pictures',
    composeRecord(outgoing('', { media: ['a', 'b', 'c', 'd'].map((id) => file(id)) }), {
      ...none,
      blobs: { a: blob(), b: blob(), c: blob(), d: blob(2_000_000) },
    }),
  ],
  ['a card', composeRecord(outgoing('x', { details: { linkCard: card } }), none)],
  [
    'a card with its picture',
    composeRecord(outgoing('x', { details: { linkCard: { ...card, imageAssetId: 'c' } } }), {
      ...none,
      blobs: { c: blob(1_000_000) },
    }),
  ],
]

// the lexicons are kept beside the checkout, not in it; the real server validates the same records in its own tests
const specs = join(
  process.env.PLATFORM_SPECS ?? join(import.meta.dirname, '../../../../shared/platform-specs'),
  'bluesky',
  'lexicons',
)
const validator = join(import.meta.dirname, '../../testing/pds/node_modules/@atproto/lexicon/dist/index.js')
const missing = [specs, validator].filter((path) => !existsSync(path))
if (missing.length > 0)
  process.stdout.write(
    `Bluesky's records were not checked against the lexicons: ${missing.length === 2 ? 'PLATFORM_SPECS and the validator' : missing[0] === specs ? 'PLATFORM_SPECS' : 'the validator'} not found\n`,
  )

describe.runIf(missing.length === 0)('records fit the lexicons', async () => {
  const validate = missing.length === 0 ? await loadLexicons() : () => undefined

  it.each(records)('%s', (_, record) => expect(() => validate(record)).not.toThrow())
  it("notices records that don't fit", () => {
    expect(() => validate({ ...records[0]?.[1], text: 'x'.repeat(301) })).toThrow(/300 graphemes/)
    const five = ['a', 'b', 'c', 'd', 'e']
    expect(() =>
      validate(
        composeRecord(outgoing('', { media: five.map((id) => file(id)) }), {
          ...none,
          blobs: Object.fromEntries(five.map((id) => [id, blob()])),
        }),
      ),
    ).toThrow(/4 elements/)
  })
})

async function loadLexicons(): Promise<(record: unknown) => unknown> {
  // the test server's own package, which is installed in a folder of its own and has no types here
  const { Lexicons, jsonToLex } = (await import(pathToFileURL(validator).href)) as {
    Lexicons: new (docs: unknown[]) => { assertValidRecord: (nsid: string, record: unknown) => unknown }
    jsonToLex: (json: unknown) => unknown
  }
  const files = readdirSync(specs, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
  const lexicons = new Lexicons(files.map((path) => JSON.parse(readFileSync(join(specs, path), 'utf8')) as unknown))
  return (record) => lexicons.assertValidRecord('app.bsky.feed.post', jsonToLex(record))
}
