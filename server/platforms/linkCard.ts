import { z } from 'zod'
import { storedText } from '#contract/storedText.ts'
import { htmlParser } from './htmlParser.ts'
import type { SafeFetch } from './safeFetch.ts'

/** A page's metadata for a card. Missing texts are empty; `imageUrl` is absolute. */
type PageCard = { kind: 'read'; url: string; title: string; description: string; imageUrl: string | null }
export type LinkCardAnswer =
  | PageCard
  /** We may not connect to the URL, or to one that it redirects to. */
  | { kind: 'refused'; detail: string }
  /** The page couldn't be read. */
  | { kind: 'unreadable'; detail: string }

/** A page's head ends before this; some have scripts of hundreds of kilobytes in it. */
const MAX_HTML = 2_000_000
/** How much of a page is read for its tags, if they aren't in its head. */
const MAX_BODY = 512_000
const TIMEOUT_MS = 10_000
const headers = { 'accept-encoding': 'identity', 'user-agent': 'Mozilla/5.0 (compatible; Rookery link card)' }
const MAX_TITLE = 300
const MAX_DESCRIPTION = 1000

/**
 * Reads a page's title, description and picture from OpenGraph, Twitter and plain tags, and for YouTube from its oEmbed
 * where the page doesn't tell. Reads to the end of the head, at most 2 MB, and follows five redirects with their cookies.
 * Doesn't load the picture. Never throws.
 */
export async function readLinkCard(fetch: SafeFetch, url: string, signal?: AbortSignal): Promise<LinkCardAnswer> {
  const page = await readPage(fetch, url, signal)
  const isTold = page.kind === 'refused' || (page.kind === 'read' && page.isCard && isVideoPage(page.url))
  if (isTold || !isVideoPage(url)) return cardOf(page)
  return (await readEmbed(fetch, url, signal)) ?? cardOf(page)
}

type Page = Exclude<LinkCardAnswer, PageCard> | (PageCard & { isCard: boolean })

function cardOf(page: Page): LinkCardAnswer {
  if (page.kind !== 'read') return page
  const { isCard: _, ...card } = page
  return card
}

async function readPage(fetch: SafeFetch, url: string, signal: AbortSignal | undefined): Promise<Page> {
  const head = watchHead()
  const answer = await fetch(url, {
    headers: { ...headers, accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_HTML,
    cut: true,
    enough: head.isRead,
    redirects: 5,
    cookies: true,
    ...(signal ? { signal } : {}),
  })
  if (answer.kind !== 'answer')
    return { kind: answer.why === 'address-refused' ? 'refused' : 'unreadable', detail: answer.detail }
  if (answer.status < 200 || answer.status > 299)
    return { kind: 'unreadable', detail: `the page answers ${answer.status}` }
  const contentType = answer.headers['content-type'] ?? ''
  if (contentType && !/\b(?:html|xml)\b/i.test(contentType))
    return { kind: 'unreadable', detail: `no page but ${contentType}` }
  return { kind: 'read', url: answer.url, ...readHead(decodePage(answer.body, contentType), answer.url) }
}

/** Looks for the end of a page's head while it arrives: in the text of a script it isn't one. */
function watchHead(): { isRead: (chunk: Uint8Array) => boolean } {
  let [size, hasEnded, hasTitle] = [0, false, false]
  const { parse } = htmlParser({
    onopentag(name, { property, name: named }) {
      if (name === 'body') hasEnded = true
      if (name === 'meta' && (property ?? named ?? '').toLowerCase().trim() === 'og:title') hasTitle = true
    },
    onclosetag(name) {
      if (name === 'head') hasEnded = true
    },
  })
  return {
    isRead(chunk) {
      size += chunk.length
      parse(Buffer.from(chunk).toString('latin1'))
      return hasEnded && (hasTitle || size > MAX_BODY)
    },
  }
}

const isVideoPage = (url: string): boolean => {
  const { hostname } = new URL(url)
  return /^(?:(?:www|m|music)\.)?youtube\.com$|^youtu\.be$/.test(hostname)
}
const Embed = z.object({
  title: z.string().trim().min(1),
  author_name: z.string().catch(''),
  thumbnail_url: z.url().nullable().catch(null),
})

/** What YouTube tells programs about a video: its pages are sometimes questions about cookies (oembed.com). */
async function readEmbed(
  fetch: SafeFetch,
  url: string,
  signal: AbortSignal | undefined,
): Promise<PageCard | undefined> {
  const asked = new URLSearchParams({ format: 'json', url }).toString()
  const answer = await fetch(`https://www.youtube.com/oembed?${asked}`, {
    headers: { ...headers, accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    maxBytes: 100_000,
    ...(signal ? { signal } : {}),
  })
  if (answer.kind !== 'answer' || answer.status !== 200) return undefined
  const told = Embed.safeParse(jsonIn(answer.body))
  if (!told.success) return undefined
  const { title, author_name: author, thumbnail_url: picture } = told.data
  return {
    kind: 'read',
    url,
    title: cut(clean(title), MAX_TITLE),
    description: cut(clean(author), MAX_DESCRIPTION),
    imageUrl: pictureOf(picture ?? '', url),
  }
}

function jsonIn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

/**
 * Decodes the page by its byte order mark, the header's charset, its own statement anywhere in its head, or else as UTF-8,
 * and as Western European if it isn't that.
 */
function decodePage(body: Uint8Array, contentType: string): string {
  const named = markOf(body) ?? /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ?? charsetIn(body)
  // a page that claims UTF-16 was readable as ASCII, so it's wrong (HTML standard)
  const label = named && !/^utf-?16/i.test(named) ? named : markOf(body)
  for (const [encoding, fatal] of [[label, false] as const, ['utf-8', true] as const]) {
    if (encoding === undefined) continue
    try {
      // the end may be in the middle of a character
      return new TextDecoder(encoding, { fatal }).decode(body, { stream: true })
    } catch {
      // an unknown charset, or another one
    }
  }
  return new TextDecoder('windows-1252').decode(body)
}

/** The charset that a page names itself: in its XML declaration or a meta tag. */
function charsetIn(body: Uint8Array): string | undefined {
  const html = Buffer.from(body.subarray(0, MAX_BODY)).toString('latin1')
  let named = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(html.slice(0, 500))?.[1]
  const { parse } = htmlParser({
    onopentag(name, { charset, content = '', 'http-equiv': header = '' }) {
      if (name !== 'meta' || named !== undefined) return
      const said = header.trim().toLowerCase() === 'content-type' ? content : ''
      named = charset?.trim() || /charset\s{0,20}=\s{0,20}["']?([\w.:-]+)/i.exec(said)?.[1]
    },
  })
  parse(html)
  return named
}

function markOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}

/** Elements whose content isn't part of the page's head: a title inside a picture isn't the page's. */
const opaque = new Set(['noscript', 'template', 'svg', 'textarea', 'iframe'])

function readHead(html: string, url: string): Omit<PageCard & { isCard: boolean }, 'kind' | 'url'> {
  const metas = new Map<string, string>()
  let plainTitle = ''
  let base = url
  const open: string[] = []
  let hidden = 0
  const { parse, end } = htmlParser({
    onopentag(name, { href = '', property, name: named, itemprop, content = '' }) {
      open.push(name)
      if (opaque.has(name)) hidden += 1
      if (hidden > 0) return
      if (name === 'base' && URL.canParse(clean(href), url)) base = new URL(clean(href), url).href
      if (name !== 'meta') return
      const key = (property ?? named ?? itemprop ?? '').toLowerCase().trim()
      if (key && clean(content) && !metas.has(key)) metas.set(key, clean(content))
    },
    ontext(text) {
      if (hidden === 0 && open.at(-1) === 'title' && !isTitled) plainTitle += text
    },
    onclosetag(name) {
      open.pop()
      if (opaque.has(name)) hidden -= 1
      if (name === 'title' && clean(plainTitle)) isTitled = true
    },
  })
  let isTitled = false
  parse(html)
  end()
  const first = (...names: string[]) => names.map((name) => metas.get(name)).find(Boolean) ?? ''
  return {
    isCard: first('og:title') !== '',
    title: cut(first('og:title', 'twitter:title') || clean(plainTitle), MAX_TITLE),
    description: cut(first('og:description', 'twitter:description', 'description'), MAX_DESCRIPTION),
    imageUrl: pictureOf(
      first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      base,
    ),
  }
}

function pictureOf(address: string, base: string): string | null {
  if (!address || !URL.canParse(address, base)) return null
  const { protocol, href } = new URL(address, base)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

/** Text of a tag as texts are stored: white space collapsed, control and invalid characters removed. */
const clean = (text: string): string =>
  storedText(text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('\ufffd', '')
    .trim()

/** Cut between characters as people see them, with an ellipsis. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (kept.length + segment.length >= most) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}
