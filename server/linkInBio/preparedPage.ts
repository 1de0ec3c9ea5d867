import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isCounted } from '#contract/linkInBio/links.ts'
import { renderBioPage, type BioPicture, type BioView } from '#contract/linkInBio/render.ts'
import { bioPath } from '#contract/linkInBio/slugs.ts'
import { bioStyle } from '#contract/linkInBio/style.ts'
import { bioThemeKeys, type BioThemeKey } from '#contract/linkInBio/themes.ts'
import { compressKept } from '../http/compress.ts'
import { policyFor } from '../publicPages/policy.ts'
import { pictureName, type Found, type PublicPage } from './publicPage.ts'

/**
 * A reply as Node sends it: names and values of headers in turn. The body's bytes are the letters of a latin1 string, which Node
 * writes together with the headers; a buffer would be a second write.
 */
export type Answer = { status: number; headers: string[]; body: string }
const encodings = ['identity', 'gzip', 'br'] as const
type Encoding = (typeof encodings)[number]

/** A page as it's sent, in every encoding, and what its links and pictures are. */
export type PreparedPage = {
  page: PublicPage
  html: string
  etag: string
  sent: Record<Encoding, Answer>
  unchanged: Answer
  clicks: ReadonlyMap<number, { answer: Answer; postId: string | null }>
  /** Keys of the media store by the names in addresses. */
  pictures: ReadonlyMap<string, string>
  /** The name of the picture that a link to the page shows elsewhere. */
  card: string
}
export type Prepared = { found: Found; bytes: number; prepared?: PreparedPage }

/** An entry without a page takes about as many bytes. */
const SMALL = 500
/** A link with its reply and its entry, besides its address. */
const LINK = 400

/** What is sent for an address. Pages that look as before aren't compressed again. */
export async function prepare(
  found: Found,
  before: Prepared | undefined,
  { publicUrl, security }: { publicUrl: string; security: Readonly<Record<string, string>> },
): Promise<Prepared> {
  if (found.kind !== 'page') return { found, bytes: SMALL }
  const { page } = found
  const html = renderBioPage(viewOf(page, publicUrl))
  const same = before?.prepared?.html === html ? before.prepared : undefined
  const etag = same?.etag ?? `W/"${hash('sha256', html, 'base64url').slice(0, 22)}"`
  const headers = [
    ...flat(security),
    ...flat({
      'content-security-policy': policyOf(page.theme),
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag,
      ...(page.noindex && { 'x-robots-tag': 'noindex' }),
    }),
  ]
  const bodies = same
    ? { identity: same.sent.identity.body, gzip: same.sent.gzip.body, br: same.sent.br.body }
    : await compressed(Buffer.from(html))
  const answer = (encoding: Encoding): Answer => ({
    status: 200,
    headers: [
      ...headers,
      ...flat({ 'content-type': 'text/html; charset=utf-8', 'content-length': String(bodies[encoding].length) }),
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
    ],
    body: bodies[encoding],
  })
  const prepared: PreparedPage = {
    page,
    html,
    etag,
    sent: { identity: answer('identity'), gzip: answer('gzip'), br: answer('br') },
    unchanged: { status: 304, headers, body: NOTHING },
    clicks: clicksOf(page, security),
    pictures: new Map([page.picture, ...page.items.map(({ picture }) => picture)].flatMap(named)),
    card: cardName(page),
  }
  const sizes = encodings.reduce((sum, encoding) => sum + bodies[encoding].length, 2 * html.length)
  const urls = page.items.reduce((sum, { url, label }) => sum + LINK + 2 * (url.length + label.length), 0)
  return { found, prepared, bytes: SMALL + 2000 + sizes + urls }
}

/** The page's reply to a request with these headers. */
export function pageAnswer({ etag, sent, unchanged }: PreparedPage, headers: IncomingHttpHeaders): Answer {
  const known = headers['if-none-match']
  if (known !== undefined && (known === etag || known === '*' || known.includes(etag))) return unchanged
  return sent[encodingOf(headers['accept-encoding'])]
}

const NOTHING = ''

/** What a client accepts, brotli first. Preferences between them don't matter, a refusal does. */
const encodingOf = (accepted = ''): Encoding =>
  BROTLI.test(accepted) ? 'br' : GZIP.test(accepted) ? 'gzip' : 'identity'
const BROTLI = /\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?![.\d]))/i
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?![.\d]))/i

async function compressed(identity: Buffer): Promise<Record<Encoding, string>> {
  const [br, gzip] = await Promise.all([compressKept('br', identity), compressKept('gzip', identity)])
  return { identity: identity.toString('latin1'), br: br.toString('latin1'), gzip: gzip.toString('latin1') }
}

function viewOf(page: PublicPage, publicUrl: string): BioView {
  const path = bioPath(page.slug)
  const picture = (key: string | null): BioPicture | null =>
    key === null ? null : { small: `${path}/p/${pictureName(key)}`, large: `${path}/p/${pictureName(key)}-2` }
  const link = ({ number, label, url }: PublicPage['items'][number]) => ({
    label,
    href: isCounted(url) ? `${path}/${number}` : url,
  })
  return {
    name: page.name,
    about: page.about,
    theme: page.theme,
    picture: picture(page.picture),
    buttons: page.items.filter(({ kind }) => kind === 'button').map(link),
    posts: page.items
      .filter(({ kind }) => kind === 'post')
      .map((item) => ({ ...link(item), picture: picture(item.picture) })),
    noindex: page.noindex,
    share: {
      address: `${publicUrl}${path}`,
      picture: `${publicUrl}${path}/card/${cardName(page)}.png`,
    },
    report: `${path}/report`,
  }
}

/** Another name, theme or picture makes another card. */
const cardName = ({ name, about, theme, picture }: PublicPage): string =>
  hash('sha256', JSON.stringify([name, about, theme, picture]), 'base64url').slice(0, 10)

/** Where the numbers lead. Mail and phone links are on the page itself. */
function clicksOf({ items }: PublicPage, security: Readonly<Record<string, string>>): PreparedPage['clicks'] {
  return new Map(
    items
      .filter(({ url }) => isCounted(url))
      .map(({ number, url, postId }) => {
        const headers = {
          ...security,
          location: new URL(url).href,
          'cache-control': 'no-store',
          'x-robots-tag': 'noindex',
        }
        return [
          number,
          { postId, answer: { status: 302, headers: [...flat(headers), 'content-length', '0'], body: NOTHING } },
        ]
      }),
  )
}

const named = (key: string | null) => (key === null ? [] : [[pictureName(key), key] as const])
const flat = (headers: Readonly<Record<string, string>>): string[] => Object.entries(headers).flat()

/** What a page may load: its pictures. It has one style, known by its hash, no script, and no form. */
const policyOf = (theme: BioThemeKey): string => policies[theme]

// one for each key
const policies = Object.fromEntries(bioThemeKeys.map((key) => [key, policyFor(bioStyle(key))])) as Record<
  BioThemeKey,
  string
>
