import { describe, expect, it } from 'vitest'
import { readLinkCard } from './linkCard.ts'
import type { SafeAnswer, SafeRequest } from './safeHttp.ts'
import type { SafeFetch } from './safeFetch.ts'

/** A fetch that returns one page. */
const page =
  (
    body: string | Uint8Array,
    contentType = 'text/html; charset=utf-8',
    more: { status?: number; url?: string } = {},
  ): SafeFetch =>
  async (url) => ({
    kind: 'answer',
    status: more.status ?? 200,
    headers: Object.fromEntries(contentType ? [['content-type', contentType]] : []),
    body: typeof body === 'string' ? Buffer.from(body) : body,
    url: more.url ?? url,
  })
const read = (body: string | Uint8Array, contentType?: string, more?: { status?: number; url?: string }) =>
  readLinkCard(page(body, contentType, more), 'https://example.com/a/b')

describe('readLinkCard', () => {
  it('stays fast on a page that is made to slow it down', async () => {
    // a regular expression that restarts at each opening tag would scan the blanks again each time
    for (let i = 0; i < 200; i++)
      expect(await read(`${'<meta '.repeat(80)}charset=${' '.repeat(3600)}|>`, 'text/html')).toMatchObject({
        kind: 'read',
      })
  })

  it('prefers OpenGraph, then Twitter, then plain tags', async () => {
    expect(
      await read(
        '<title>Plain</title><meta name="description" content="plain"><meta name="twitter:title" content="Tw"><meta property="og:title" content="Og"><meta property="og:image" content="/p.png">',
      ),
    ).toEqual({
      kind: 'read',
      url: 'https://example.com/a/b',
      title: 'Og',
      description: 'plain',
      imageUrl: 'https://example.com/p.png',
    })
    expect(
      await read(
        '<title>Plain</title><meta name="twitter:title" content="Tw"><meta name="twitter:image" content="p.png">',
      ),
    ).toMatchObject({ title: 'Tw', imageUrl: 'https://example.com/a/p.png' })
    expect(await read('<title>\n  Plain\n title </title>')).toMatchObject({
      title: 'Plain title',
      description: '',
      imageUrl: null,
    })
  })

  it.each([
    ["<META CONTENT='It is \"so\"' PROPERTY='OG:TITLE' />", 'It is "so"'],
    ['<meta content="a > b" property="og:title">', 'a > b'],
    ['<meta property=og:title content=bare>', 'bare'],
    [
      '<meta property="og:title" content="Tom &amp; Jerry &#8212; caf&eacute; &#x1F426; &unknown;">',
      'Tom & Jerry — café 🐦 &unknown;',
    ],
    ['<meta property="og:title" content=""><title>Plain</title>', 'Plain'],
    ['<!-- <meta property="og:title" content="no"> --><title>yes</title>', 'yes'],
    ["<script>\"<meta property='og:title' content='no'>\"</script><title>yes</title>", 'yes'],
    ['<svg><title>no</title></svg><title>yes</title>', 'yes'],
    ['<meta property="og:title" content="one"><meta property="og:title" content="two">', 'one'],
    ['<title>&#0;&#xD800;ok</title>', 'ok'],
  ])('reads %s', async (html, title) => expect(await read(html)).toMatchObject({ kind: 'read', title }))

  it.each([
    ['the header', Buffer.from('<title>Kr\xe4he</title>', 'latin1'), 'text/html; charset=iso-8859-1'],
    ['its meta tag', Buffer.from('<meta charset="windows-1252"><title>Kr\xe4he</title>', 'latin1'), 'text/html'],
    [
      'its http-equiv tag',
      Buffer.from(
        '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-15"><title>Kr\xe4he</title>',
        'latin1',
      ),
      'text/html',
    ],
    ['its byte order mark', Buffer.from('\ufeff<title>Krähe</title>', 'utf16le'), 'text/html; charset=utf-8'],
    ['nothing but UTF-8', Buffer.from('<title>Krähe</title>'), ''],
    ['a name that nobody knows', Buffer.from('<title>Krähe</title>'), 'text/html; charset=klingon'],
    ['a meta tag that cannot be true', Buffer.from('<meta charset="utf-16"><title>Krähe</title>'), 'text/html'],
  ])('detects the encoding by %s', async (_, body, contentType) =>
    expect(await read(body, contentType)).toMatchObject({ title: 'Krähe' }),
  )

  it('reads Shift_JIS', async () => {
    expect(
      await read(
        Buffer.from([...Buffer.from('<title>'), 0x83, 0x4a, 0x83, 0x89, 0x83, 0x58, ...Buffer.from('</title>')]),
        'text/html; charset=Shift_JIS',
      ),
    ).toMatchObject({ title: 'カラス' })
  })

  it.each([
    ['https://cdn.example.com/p.png', 'https://cdn.example.com/p.png'],
    ['//cdn.example.com/p.png', 'https://cdn.example.com/p.png'],
    ['p.png?a=1&amp;b=2', 'https://example.com/base/p.png?a=1&b=2'],
    ['data:image/png;base64,AAAA', null],
    ['javascript:alert(1)', null],
    ['http://[', null],
  ])('uses the picture %s', async (address, imageUrl) =>
    expect(await read(`<base href="/base/"><meta property="og:image" content="${address}">`)).toMatchObject({
      imageUrl,
    }),
  )

  it('resolves URLs against the final URL after redirects', async () => {
    expect(
      await read('<meta property="og:image" content="p.png">', undefined, { url: 'https://other.example/x/' }),
    ).toMatchObject({ url: 'https://other.example/x/', imageUrl: 'https://other.example/x/p.png' })
  })

  it('cuts long texts between characters', async () => {
    const answer = await read(
      `<title>${'👩‍👩‍👧‍👦'.repeat(100)}</title><meta name="description" content="${'word '.repeat(1000)}">`,
    )
    if (answer.kind !== 'read') throw new Error(answer.detail)
    expect(answer.title).toBe(`${'👩‍👩‍👧‍👦'.repeat(27)}…`)
    expect(answer.description.length).toBeLessThanOrEqual(1000)
  })

  it('reports that there is no page', async () => {
    expect(await read('', 'application/pdf')).toMatchObject({ kind: 'unreadable' })
    expect(await read('<title>Not found</title>', undefined, { status: 404 })).toMatchObject({ kind: 'unreadable' })
    const failing = (answer: SafeAnswer) => readLinkCard(async () => answer, 'https://example.com')
    expect(await failing({ kind: 'unsent', why: 'unreachable', detail: '' })).toMatchObject({ kind: 'unreadable' })
    expect(await failing({ kind: 'lost', why: 'timeout', detail: '' })).toMatchObject({ kind: 'unreadable' })
    expect(await failing({ kind: 'unsent', why: 'address-refused', detail: '' })).toMatchObject({ kind: 'refused' })
    expect(await failing({ kind: 'lost', why: 'address-refused', detail: '' })).toMatchObject({ kind: 'refused' })
  })

  it('requests only the start of a page', async () => {
    let asked: SafeRequest | undefined
    await readLinkCard(async (url, request) => {
      asked = request
      return page('')(url, request)
    }, 'https://example.com')
    expect(asked).toMatchObject({ maxBytes: 512_000, cut: true, redirects: 5 })
  })

  it.each([
    ['open comments', '<!--'.repeat(100_000)],
    ['open scripts', '<script>'.repeat(60_000)],
    ['open metas', '<meta '.repeat(80_000)],
    ['quotes', `<meta ${'"'.repeat(500_000)}`],
    ['attributes', `<meta ${'a=b '.repeat(120_000)}>`],
    ['spaces', `<title>${' '.repeat(500_000)}`],
    ['charsets', '<meta charset'.repeat(40_000)],
    ['closing tags', '<title></'.repeat(50_000)],
    ['names', `<meta ${'a'.repeat(500_000)}`],
    ['metas', '<meta name=a content=b>'.repeat(20_000)],
  ])('stays fast on hostile pages: %s', async (_, html) => {
    expect((await read(html)).kind).toBe('read')
  })
})
