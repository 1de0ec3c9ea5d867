import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { readLinkCard } from './linkCard.ts'
import type { SafeAnswer, SafeRequest } from './safeHttp.ts'
import { createSafeFetch, type SafeFetch } from './safeFetch.ts'

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

/** A web server that answers with these pages, each with its headers. */
const sites: Server[] = []
afterAll(() => sites.forEach((one) => one.close()))
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  sites.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

describe('a page is read', () => {
  const og = '<meta property="og:title" content="Far away">'
  it.each([
    ['700,000', 700_000],
    ['1,900,000', 1_900_000],
  ])('to the end of its head, also after %s bytes of scripts', async (_, bytes) => {
    const script = `<script>var a = "</head><body>"; ${'x'.repeat(bytes)}</script>`
    let sent = 0
    const host = await serve((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.write(`<html><head><title>Near</title>${script}${og}</head><body>`)
      // without an end, so that only the head can have been enough
      const more = () => {
        while (sent < 50_000_000 && response.write('x'.repeat(65_536))) sent += 65_536
      }
      response.on('drain', more)
      more()
    })
    const fetch = createSafeFetch({ allow: [host] })
    expect(await readLinkCard(fetch, `http://${host}/`)).toMatchObject({ kind: 'read', title: 'Far away' })
    expect(sent).toBeLessThan(50_000_000)
  })

  it('into its body, if its head has no card', async () => {
    const host = await serve((_request, response) =>
      response.end(`<html><head><title>Near</title></head><body>${'x'.repeat(100_000)}${og}`),
    )
    expect(await readLinkCard(createSafeFetch({ allow: [host] }), `http://${host}/`)).toMatchObject({
      title: 'Far away',
    })
  })

  it('with the cookies that its redirect set, which the next reading has no longer', async () => {
    const seen: (string | undefined)[] = []
    const host = await serve((request, response) => {
      seen.push(request.headers.cookie)
      if (request.headers.cookie?.includes('ok=1')) response.end(og)
      else
        response
          .writeHead(302, {
            location: request.url ?? '/',
            'set-cookie': ['ok=1; Path=/; Expires=Wed, 21 Oct 2037 07:28:00 GMT', 'b="2"; HttpOnly', 'tls=1; Secure'],
          })
          .end()
    })
    const fetch = createSafeFetch({ allow: [host] })
    for (let reading = 0; reading < 2; reading += 1) {
      expect(await readLinkCard(fetch, `http://${host}/page`)).toMatchObject({ title: 'Far away' })
      expect(seen.splice(0)).toEqual([undefined, 'ok=1; b="2"'])
    }
  })
})

describe('the card of a video on YouTube', () => {
  const video = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'
  const told = { title: 'A rook sings', author_name: 'Birds', thumbnail_url: 'https://i.ytimg.com/vi/x/hqdefault.jpg' }
  const youtube =
    (html: string, final = video, embed: unknown = told): SafeFetch =>
    async (url, request) =>
      url.startsWith('https://www.youtube.com/oembed?')
        ? await page(JSON.stringify(embed), 'application/json', { status: embed ? 200 : 401 })(url, request)
        : await page(html, undefined, { url: final })(url, request)

  it('is that of its page', async () => {
    const fetch = youtube('<meta property="og:title" content="On the page">')
    expect(await readLinkCard(fetch, video)).toMatchObject({ title: 'On the page' })
  })

  it.each([
    ['asks about cookies', '<meta property="og:title" content="Before you continue">', 'https://consent.youtube.com/m'],
    ['has no card', '<title>YouTube</title>', video],
  ])('is what YouTube tells programs, if the page %s', async (_, html, final) => {
    for (const url of [video, 'https://youtu.be/dQw4w9WgXcQ'])
      expect(await readLinkCard(youtube(html, final), url)).toEqual({
        kind: 'read',
        url,
        title: 'A rook sings',
        description: 'Birds',
        imageUrl: 'https://i.ytimg.com/vi/x/hqdefault.jpg',
      })
  })

  it('is that of the page, if nothing else is told', async () => {
    for (const embed of [null, {}, 'odd'])
      expect(await readLinkCard(youtube('<title>Private video</title>', video, embed), video)).toMatchObject({
        title: 'Private video',
      })
  })
})

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
    ['<title>\u202eko\ufeff: cre\u0300me</title>', 'ko: crème'],
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
    [
      'its XML declaration',
      Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><title>Kr\xe4he</title>', 'latin1'),
      '',
    ],
    [
      'a meta tag after long scripts',
      Buffer.from(`<script>${'x'.repeat(50_000)}</script><meta charset="latin1"><title>Kr\xe4he</title>`, 'latin1'),
      'text/html',
    ],
    ['nothing, if it is no UTF-8', Buffer.from('<title>Kr\xe4he</title>', 'latin1'), 'text/html'],
    [
      'no words about charsets',
      Buffer.from('<meta name="description" content="charset=klingon"><title>Krähe</title>'),
      '',
    ],
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
    expect(asked).toMatchObject({ maxBytes: 2_000_000, cut: true, redirects: 5, cookies: true })
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
    ['pictures', '<svg>'.repeat(100_000)],
    ['metas', '<meta name=a content=b>'.repeat(20_000)],
  ])('stays fast on hostile pages: %s', async (_, html) => {
    expect((await read(html)).kind).toBe('read')
  })
})
