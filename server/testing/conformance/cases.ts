import { sentenceOf } from '#contract/failures/catalog.ts'
import { countText } from '#contract/platforms/countText.ts'
import type { DetailField, LookupKind, PlatformRules, PostRules } from '#contract/platforms/rules.ts'
import type { MediaFile, Outgoing } from '../../platforms/platform.ts'
import type { Channel } from '../adapter/channel.ts'
import { outgoingPost, syntheticFile } from '../outgoing.ts'

/*
 * What a platform's own rules (contract/platforms) say that it accepts, as posts to publish: each post type with each
 * kind of content, at the rules' limits. Nothing here knows a platform by its name.
 */

/** `says` is text that must be sent; `stands` is the minimum number of posts afterwards. */
export type Case = {
  name: string
  postType: Outgoing['postType']
  make: (words: string) => Promise<Outgoing>
  says: (words: string) => string[]
  stands: number
}

const MB = 1_000_000
/** One piece for every adapter: these files are sent some thousand times. */
const SMALL = 100_000
/** Adapters that let platforms fetch URLs get files of any size here (server/testing/visitor.ts). */
const madeUp = (bytes: number, ending: string) => `https://files.test/${bytes}.${ending}`

type Piece = { bytes?: number; altText?: string }
function file(type: string, { bytes = SMALL, altText = '' }: Piece = {}): MediaFile {
  const ending = { 'image/png': 'png', 'video/mp4': 'mp4', 'application/pdf': 'pdf' }[type] ?? 'jpg'
  return syntheticFile(type, { bytes, name: `file.${ending}`, altText, url: () => madeUp(bytes, ending) })
}

const prefer = (types: readonly string[], first: string): string =>
  types.includes(first) ? first : (types[0] ?? first)

/** Every case of the platform, by its rules. `largest` limits the size of files. */
export function casesOf(rules: PlatformRules, channel: Channel, largest: number): Case[] {
  return rules.posts.flatMap((post) => casesOfType(post, channel, largest))
}

function casesOfType(rules: PostRules, channel: Channel, largest: number): Case[] {
  const { postType, images, videos, documents } = rules
  const picture = (words = '') =>
    file(prefer(images.types, 'image/jpeg'), { altText: images.altText ? words.slice(0, images.altText.max) : '' })
  const clip = (bytes = SMALL): MediaFile => ({
    ...file(prefer(videos.types, 'video/mp4'), { bytes }),
    seconds: Math.max(videos.seconds.min, Math.min(20, videos.seconds.max)),
    ...(videos.thumbnail === 'none' ? {} : { thumbnail: picture() }),
  })
  const paper = () => file(prefer(documents.types, 'application/pdf'))
  // the minimum for such a post
  const needed = (): MediaFile[] =>
    !rules.mediaRequired ? [] : images.most > 0 ? [picture()] : videos.most > 0 ? [clip()] : [paper()]

  const cases: Case[] = []
  const add = (
    name: string,
    content: (words: string) => { media?: MediaFile[]; text?: string; more?: Partial<Outgoing>; thread?: string[] },
    { says = () => [], stands = 1 }: { says?: (words: string) => string[]; stands?: number } = {},
  ) => {
    cases.push({
      name: `${rules.label}: ${name}`,
      postType,
      stands,
      says,
      make: async (words) => {
        const { media = needed(), text = takesText(rules) ? words : '', more = {}, thread = [] } = content(words)
        const details = { ...(await requiredDetails(rules, channel)), ...more.details }
        const title = rules.title ? { title: `${words} title`.slice(0, rules.title.max) } : {}
        return outgoingPost({
          postType,
          ...more,
          details,
          contents: [{ ...title, text, media }, ...thread.map((item) => ({ text: item, media: [] }))],
        })
      },
    })
  }
  const words = takesText(rules) ? (said: string) => [said] : () => []
  if (!rules.mediaRequired) add('text', () => ({}), { says: words })
  // letters only: some formats escape other signs, and nobody says whether that counts
  const plain = (said: string): string => said.replace(/[^a-z ].*$/i, '').trim()
  if (takesText(rules))
    add('text at its limit', (said) => ({ text: filled(rules, plain(said)) }), {
      says: (said) => words(said).map(plain),
    })
  if (rules.title) add('title', () => ({}), { says: (said) => [`${said} title`.slice(0, rules.title?.max ?? 0)] })
  if (images.most > 0)
    add('picture', (said) => ({ media: [picture(`${said} seen`)] }), {
      says: (said) => [...words(said), ...(images.altText ? [`${said} seen`] : [])],
    })
  if (images.most > 1)
    add(`${images.most} pictures`, () => ({ media: Array.from({ length: images.most }, () => picture()) }), {
      says: words,
    })
  if (videos.most > 0) add('video', () => ({ media: [clip()] }), { says: words })
  if (videos.most > 0 && videos.bytes > 3 * MB)
    add('video at its limit', () => ({ media: [clip(Math.min(videos.bytes, largest))] }), { says: words })
  if (documents.most > 0) add('document', () => ({ media: [paper()] }), { says: words })
  if (rules.thread.most > 1)
    add('thread', (said) => ({ thread: [`${said} second`, `${said} third`] }), {
      says: (said) => [`${said} second`, `${said} third`],
      stands: 3,
    })
  if (rules.firstComment)
    add('first comment', (said) => ({ more: { firstComment: `${said} comment` } }), {
      says: (said) => [`${said} comment`],
      stands: 2,
    })
  if (has(rules, 'link'))
    add('link', (said) => ({ more: { details: { link: addressOf(said) } } }), {
      says: (said) => [addressOf(said)],
    })
  if (has(rules, 'playlistId')) add('playlist', () => ({}), {})
  return cases
}

const addressOf = (words: string): string => `https://example.com/${words.replaceAll(/[^a-z]+/gi, '-')}`
const has = (rules: PostRules, field: DetailField): boolean => rules.details.some((detail) => detail.field === field)
// stories and the like only show the picture
const takesText = (rules: PostRules): boolean =>
  rules.postType !== 'story' && rules.text.limits.every(({ max }) => max > 0)

/** The text, padded with letters up to its limits. */
function filled(rules: PostRules, words: string): string {
  let [low, high] = [0, Math.min(...rules.text.limits.map(({ max }) => max))]
  const fits = (more: number) =>
    rules.text.limits.every(({ unit, max }) => countText(`${words} ${'a'.repeat(more)}`, unit) <= max)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return `${words} ${'a'.repeat(low)}`
}

const soughtIn: Partial<Record<DetailField, LookupKind>> = {
  boardId: 'boards',
  categoryId: 'categories',
  playlistId: 'playlists',
}

/**
 * The required details of this post type, chosen as a person would: from the account's options, or else from the
 * rule's.
 */
export async function requiredDetails(
  rules: PostRules,
  { platform, reach, secret, account }: Channel,
): Promise<Record<string, unknown>> {
  const details: Record<string, unknown> = {}
  for (const { field, required, options, preset } of rules.details) {
    const kind = soughtIn[field] ?? (field === 'privacy' && platform.lookups?.creator ? 'creator' : undefined)
    const lookup = kind && platform.lookups?.[kind]
    if (lookup && (required || field === 'playlistId' || field === 'privacy')) {
      const found = await lookup(reach, secret, account, { query: '', limit: 50 })
      if (found.kind === 'found') details[field] = found.items[0]?.id ?? preset ?? options?.[0]?.value
      else throw new Error(`${kind}: ${typeof found.reason === 'string' ? found.reason : sentenceOf(found.reason)}`)
    } else if (field === 'offer')
      details[field] = { couponCode: 'ROOK', redeemUrl: 'https://example.com/offer', terms: 'While it lasts' }
    else if (field === 'event' && required)
      details[field] = { start: { date: '2026-12-01', time: '10:00' }, end: { date: '2026-12-02', time: '18:00' } }
    else if (field === 'madeForKids') details[field] = false
    else if (required) details[field] = preset ?? options?.[0]?.value ?? 'yes'
  }
  return details
}
