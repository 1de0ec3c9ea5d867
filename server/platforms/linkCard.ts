import { Parser } from 'htmlparser2'
import type { SafeFetch } from './safeFetch.ts'

/** A page's metadata for a card. Missing texts are empty; `imageUrl` is absolute. */
type PageCard = { kind: 'read'; url: string; title: string; description: string; imageUrl: string | null }
export type LinkCardAnswer =
  | PageCard
  /** We may not connect to the URL, or to one that it redirects to. */
  | { kind: 'refused'; detail: string }
  /** The page couldn't be read. */
  | { kind: 'unreadable'; detail: string }

const MAX_HTML = 512_000
const TIMEOUT_MS = 10_000
/** How far into a page its encoding is searched for (HTML standard, prescan). */
const PRESCAN_BYTES = 4096
const MAX_TITLE = 300
const MAX_DESCRIPTION = 1000

/**
 * Reads a page's title, description and picture from OpenGraph, Twitter and plain tags. Reads the first 512 kB and
 * follows five redirects. Doesn't load the picture. Never throws.
 */
export async function readLinkCard(fetch: SafeFetch, url: string, signal?: AbortSignal): Promise<LinkCardAnswer> {
  const answer = await fetch(url, {
    headers: {
      accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
      'accept-encoding': 'identity',
      'user-agent': 'Mozilla/5.0 (compatible; Rookery link card)',
    },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_HTML,
    cut: true,
    redirects: 5,
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

/** Decodes the page by its byte order mark, the header's charset, its meta tag, or else as UTF-8. */
function decodePage(body: Uint8Array, contentType: string): string {
  const beginning = Buffer.from(body.subarray(0, PRESCAN_BYTES)).toString('latin1')
  const named =
    markOf(body) ??
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1] ??
    /<meta[^>]{0,500}?charset\s{0,20}=\s{0,20}(?:["']\s{0,20})?([\w.:-]+)/i.exec(beginning)?.[1]
  // a meta tag that claims UTF-16 was readable as ASCII, so it's wrong (HTML standard)
  const label = named && !/^utf-?16/i.test(named) ? named : (markOf(body) ?? 'utf-8')
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    // an unknown charset
    return new TextDecoder().decode(body)
  }
}

function markOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}

/** Elements whose content isn't part of the page's head: a title inside a picture isn't the page's. */
const opaque = new Set(['noscript', 'template', 'svg', 'textarea', 'iframe'])

function readHead(html: string, url: string): Pick<PageCard, 'title' | 'description' | 'imageUrl'> {
  const metas = new Map<string, string>()
  let plainTitle = ''
  let base = url
  const open: string[] = []
  let hidden = 0
  const parser = new Parser({
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
  parser.end(html)
  const first = (...names: string[]) => names.map((name) => metas.get(name)).find(Boolean) ?? ''
  return {
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

/** Text of a tag: white space collapsed, control and invalid characters removed. */
const clean = (text: string): string =>
  text
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
