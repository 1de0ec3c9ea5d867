import { broken, mediaErrors, type MediaFacts, type PostError } from '#contract/checkMedia.ts'
import {
  alsoCounted,
  channelProblem,
  commentLimits,
  fitLinkCard,
  postErrors,
  type ContentFacts,
} from '#contract/checkPost.ts'
import type { AdditionalDetails } from '#contract/content.ts'
import type { Channel } from '#contract/channels.ts'
import { MEDIA_FALLBACK } from '#contract/constants.ts'
import { platformRules, rulesFor } from '#contract/platforms/registry.ts'
import { countText } from '#contract/platforms/countText.ts'
import type { PlatformKey, PlatformRules, PostRules, PostType, TextLimit } from '#contract/platforms/rules.ts'
import { BioUrl } from '#contract/linkInBio/links.ts'
import type { SentLinks } from '#contract/links/apply.ts'
import { problem } from '#contract/postProblems.ts'
import { firstCommentFor, itemsFor, type Doc, type Item, type LinkCard } from './doc.ts'

/**
 * What happens to the links of a channel's post; undefined if nothing does. Known once a text has links (PostLinks.tsx).
 * `key` is the same for what does the same.
 */
export type KnownLinks = (channelId: string, details: AdditionalDetails) => (SentLinks & { key: string }) | undefined

type OnPlatform = Pick<Channel, 'platformName'> & Partial<Pick<Channel, 'limits'>>

/** A channel's post type: the chosen one, otherwise its platform's first. */
export function postTypeFor({ platformName }: OnPlatform, wanted?: PostType): PostType {
  const { posts } = platformRules[platformName]
  return posts.find(({ postType }) => postType === wanted)?.postType ?? posts[0]?.postType ?? 'post'
}

/** What one channel accepts: its platform's rules, with its own account's limits. */
export function rulesOf(channel: OnPlatform, wanted?: PostType): PostRules | undefined {
  return rulesFor(channel.platformName, postTypeFor(channel, wanted), channel.limits)
}

/** Channels of the same words take the same posts. */
const kindOf = (channel: OnPlatform, wanted?: PostType): string =>
  `${channel.platformName} ${postTypeFor(channel, wanted)} ${channel.limits ? JSON.stringify(channel.limits) : ''}`

/** What the chosen channels accept, each pair of platform and post type once, unless an account has its own limits. */
export type Taken = {
  platform: PlatformRules
  rules: PostRules
  /** What counts towards its text besides it. */ details: Pick<AdditionalDetails, 'contentWarning' | 'link'>
  /** What is sent of its text is counted. */ links?: ReturnType<KnownLinks>
}
export function takenBy(
  channels: readonly (OnPlatform & Partial<Pick<Channel, 'channelId'>>)[],
  variants: Doc['variants'] = {},
  linksOf?: KnownLinks,
): Taken[] {
  const found = channels.flatMap((channel) => {
    const variant = channel.channelId === undefined ? undefined : variants[channel.channelId]
    const wanted = variant?.postType
    const written = variant?.details ?? {}
    const links = channel.channelId === undefined ? undefined : linksOf?.(channel.channelId, written)
    const rules = rulesOf(channel, wanted)
    const { contentWarning = '', link = '' } = links?.details(written) ?? written
    return rules
      ? [
          [
            `${kindOf(channel, wanted)} ${link} ${contentWarning} ${links?.key ?? ''}`,
            {
              platform: platformRules[channel.platformName],
              rules,
              details: { contentWarning, link },
              ...(links && { links }),
            },
          ] as const,
        ]
      : []
  })
  return [...new Map(found).values()]
}

/** The server's own refusals name no problem. */
type ChannelError = Omit<PostError, 'problem'> & Partial<Pick<PostError, 'problem'>>
export type ChannelErrors = { channel: Channel; errors: ChannelError[] }
/** What the check needs to know about files and cards. */
export type Known = {
  factsOf: (key: string) => MediaFacts | undefined
  cardOf: (text: string) => LinkCard | null | undefined
  /** Whether a channel's post is published right away. */ now: (channelId: string) => boolean
  links?: KnownLinks | undefined
}

/** The field of the post's place on a link in bio page. */
export const BIO_LINK = 'additionalDetails.bioLink'

/** What is wrong with a field of any of these channels. */
export const errorAt = (
  errors: readonly ChannelErrors[],
  channels: readonly Channel[],
  field: string,
): string | undefined =>
  errors
    .flatMap(({ channel, errors: list }) => (channels.includes(channel) ? list : []))
    .find((error) => error.field === field)?.message

/** What a channel's post has besides its contents, without fields that its platform doesn't take. */
export function detailsFor(doc: Doc, channel: Channel, cardOf: Known['cardOf']): AdditionalDetails {
  const { items = doc.items, details = {}, postType } = doc.variants[channel.channelId] ?? {}
  const rules = rulesOf(channel, postType)
  if (!rules) return {}
  const [first] = items
  // a post has images or a card
  const card = rules.linkCard && first ? (first.media.length > 0 ? null : cardOf(first.text)) : undefined
  const taken = new Set<string>(['linkTags', 'shorten', ...rules.details.map(({ field }) => field)])
  const own: AdditionalDetails = Object.fromEntries(
    Object.entries(details).filter(([field, value]) => taken.has(field) && value !== undefined),
  )
  const shared = doc.bioLink ? { ...own, bioLink: doc.bioLink } : own
  return card === undefined ? shared : { ...shared, linkCard: card && fitLinkCard(rules, card) }
}

/** The first comment, where the platform has one. */
export function commentFor(doc: Doc, channel: Channel): string {
  return rulesOf(channel, doc.variants[channel.channelId]?.postType)?.firstComment
    ? firstCommentFor(doc, channel.channelId).trim()
    : ''
}

/** The items without what the platform's post type doesn't have: a title that only others show. */
export function itemsTaken(items: readonly Item[], rules: PostRules | undefined): Item[] {
  return items.map((item, i) => ({
    ...item,
    title: rules?.title && i === 0 ? item.title.trim() : '',
    text: item.text.trim(),
  }))
}

/** Everything that the posts break, by channel, with the server's messages. */
export function errorsByChannel(channels: readonly Channel[], doc: Doc, known: Known): ChannelErrors[] {
  // ten channels of one platform with the same content are checked once
  const checked = new Map<string, PostError[]>()
  // for people it's one field of the whole post
  const ofPost =
    doc.bioLink && !BioUrl.safeParse(doc.bioLink.url).success ? [broken(BIO_LINK, problem('bio-link-invalid'))] : []
  return channels.flatMap((channel) => {
    const trouble = channelProblem(channel, known.now(channel.channelId))
    const variant = doc.variants[channel.channelId]
    const own = variant?.items ?? variant?.details ?? variant?.firstComment
    const links = known.links?.(channel.channelId, variant?.details ?? {})
    const key = `${kindOf(channel, variant?.postType)} ${own === undefined ? '' : channel.channelId} ${links?.key ?? ''}`
    let found = checked.get(key)
    if (!found) checked.set(key, (found = brokenBy(channel, doc, known)))
    const errors = [...(trouble ? [broken('channelId', trouble)] : []), ...found, ...ofPost]
    return errors.length > 0 ? [{ channel, errors }] : []
  })
}

function brokenBy(channel: Channel, doc: Doc, { factsOf, cardOf, links }: Known): PostError[] {
  const wanted = doc.variants[channel.channelId]?.postType
  const rules = rulesOf(channel, wanted)
  if (!rules)
    return [
      broken('postType', problem('post-type-unsupported', { postType: wanted ?? 'post', handle: channel.handle })),
    ]
  const contents = itemsTaken(itemsFor(doc, channel.channelId), rules).map(({ title, text, media }) => ({
    title,
    text,
    media: media.flatMap((key) => factsOf(key) ?? []),
  }))
  const details = detailsFor(doc, channel, cardOf)
  return postErrors(rules, contents, {
    details,
    isUnsent: true,
    links: links?.(channel.channelId, details),
    firstComment: commentFor(doc, channel),
    findSpans: platformRules[channel.platformName].findSpans,
  })
}

/** The rules that a file breaks where it's attached, each message once; none that its copies will keep. */
export function fileErrors(taken: readonly Taken[], file: MediaFacts): PostError[] {
  const found = new Map<string, { error: PostError; labels: Set<string> }>()
  for (const { platform, rules } of taken) {
    for (const error of mediaErrors(rules, file, 'media').filter(({ fix }) => fix !== 'fit')) {
      const known = found.get(error.message) ?? { error, labels: new Set() }
      found.set(error.message, { error, labels: known.labels.add(platform.label) })
    }
  }
  const platforms = new Set(taken.map(({ platform }) => platform.label)).size
  // what only some of them refuse names them
  return [...found.values()].map(({ error, labels }) =>
    labels.size < platforms ? { ...error, message: `${[...labels].join(', ')}: ${error.message}` } : error,
  )
}

/** Of the channels whose rules the file breaks in a way that can be fixed, the one with the lowest limits. */
export function fitFor<C extends OnPlatform & Pick<Channel, 'channelId'>>(
  channels: readonly C[],
  variants: Doc['variants'],
  file: MediaFacts,
): { channel: C; postType: PostType; bytes: number } | undefined {
  const fixable = channels.flatMap((channel) => {
    const postType = postTypeFor(channel, variants[channel.channelId]?.postType)
    const rules = rulesOf(channel, postType)
    return rules && mediaErrors(rules, file, 'media').some(({ fix }) => fix === 'fit')
      ? [
          {
            channel,
            postType,
            bytes: rules.images.bytes,
            types: rules.images.types.length,
            largest: rules.images.largest?.longer ?? Infinity,
          },
        ]
      : []
  })
  return fixable.toSorted(
    (a, b) => (a.largest === b.largest ? 0 : a.largest - b.largest) || a.bytes - b.bytes || a.types - b.types,
  )[0]
}

/**
 * The post types that show no text, with an article, such as "A story on Facebook or Instagram"; undefined if all show
 * it.
 */
export function withoutText(taken: readonly Taken[]): string | undefined {
  const unseen = taken.filter(({ rules }) => rules.text.unseen)
  const [first] = unseen
  if (!first) return undefined
  const labels = [...new Set(unseen.map(({ platform }) => platform.label))]
  return `A ${first.rules.label.toLowerCase()} on ${new Intl.ListFormat('en', { type: 'disjunction' }).format(labels)}`
}

/** Why a file isn't attached at all: no chosen channel could take it, not even converted. */
export function fileRefusals(taken: readonly Taken[], file: MediaFacts): PostError[] {
  const each = taken.map(({ rules }) => mediaErrors(rules, file, 'media').filter(({ fix }) => fix === undefined))
  return each.every((errors) => errors.length > 0) ? (each[0] ?? []) : []
}

/**
 * The maximum number of pictures per post on any of the chosen channels. Those with a lower limit say so themselves.
 */
export function mostImages(taken: readonly Taken[]): number {
  const limits = taken.map(({ rules }) => rules.images.most).filter((most) => most > 0)
  return limits.length > 0 ? Math.max(...limits) : MEDIA_FALLBACK.images
}

/** The longest alternative text that all of them take. */
export function altMost(taken: readonly Taken[]): number {
  return Math.min(5000, ...taken.map(({ rules }) => rules.images.altText?.max ?? 5000))
}

/** Whether any of them has image descriptions. */
export function takesAltText(taken: readonly Taken[]): boolean {
  return taken.length === 0 || taken.some(({ rules }) => rules.images.altText !== null)
}

export type Count = { platform: PlatformKey; label: string; unit: TextLimit['unit']; used: number; max: number }
/** What accompanies a text and may count with it: the first item's title, and the types of the files. */
type Beside = { title: string; types: readonly string[]; isFirst: boolean }
const nothing: Beside = { title: '', types: [], isFirst: true }

/**
 * How long the text is by each platform's own count: of accounts with different limits, the fullest one. Bytes only
 * show near their limit.
 */
export function countsOf(taken: readonly Taken[], text: string, beside = nothing): Count[] {
  return countedBy(taken, ({ rules }) => rules.text.limits, text, beside)
}

/** The same for a first comment, if there is one, without the post's link and title. */
export function commentCounts(taken: readonly Taken[], text: string): Count[] {
  return countedBy(taken, ({ rules }) => commentLimits(rules), text, { ...nothing, isFirst: false })
}

function countedBy(
  taken: readonly Taken[],
  limitsOf: (one: Taken) => readonly TextLimit[],
  text: string,
  beside: Beside,
): Count[] {
  const trimmed = text.trim()
  const counted = new Map<string, number>()
  const used = ({ unit, addressLength }: TextLimit, { links }: Taken) => {
    const key = `${unit} ${addressLength ?? ''} ${links?.key ?? ''}`
    const known = counted.get(key) ?? countText(links?.text(trimmed) ?? trimmed, unit, addressLength)
    counted.set(key, known)
    return known
  }
  const counts = taken.flatMap((one) =>
    limitsOf(one).flatMap((limit, i): Count[] => {
      const count = {
        platform: one.platform.key,
        label: one.platform.label,
        unit: limit.unit,
        used: used(limit, one) + more(limit, one, trimmed, beside),
        max: limit.max,
      }
      return i === 0 || count.used > limit.max * NEAR ? [count] : []
    }),
  )
  return counts.filter(
    (count) =>
      !counts.some(
        (other) =>
          isSameCount(other, count) &&
          (fullness(other) > fullness(count) ||
            (fullness(other) === fullness(count) && counts.indexOf(other) < counts.indexOf(count))),
      ),
  )
}

/** What counts with a text toward a limit, from the channel's other content. */
function more(
  limit: TextLimit,
  { rules, details, links }: Taken,
  text: string,
  { title, types, isFirst }: Beside,
): number {
  const content: ContentFacts = {
    title: rules.title && isFirst ? title : '',
    text: links?.text(text) ?? text,
    media: types.map((contentType) => ({ contentType, bytes: 0 })),
  }
  return alsoCounted(limit, content, isFirst ? details : { ...details, link: '' })
}
const isSameCount = (one: Count, other: Count): boolean => one.platform === other.platform && one.unit === other.unit
const fullness = ({ used, max }: Count): number => used / max
export const NEAR = 0.8

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Where the text exceeds the first limit it exceeds, as an index into it; undefined while it fits. */
export function overflowAt(taken: readonly Taken[], text: string, beside = nothing): number | undefined {
  const trimmed = text.trim()
  const limits = taken.flatMap((one) =>
    one.rules.text.limits.map((limit) => ({ ...limit, of: one, max: limit.max - more(limit, one, trimmed, beside) })),
  )
  const fits = (words: string) =>
    limits.every(
      ({ of, unit, addressLength, max }) => countText(of.links?.text(words) ?? words, unit, addressLength) <= max,
    )
  if (fits(trimmed)) return undefined
  const starts = Array.from(segmenter.segment(trimmed), ({ index }) => index)
  // the most characters that fit: counted as a whole, because URLs count differently than their characters
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(trimmed.slice(0, starts[middle]))) low = middle
    else high = middle - 1
  }
  // the server counts the trimmed text, so leading spaces cost nothing
  return text.length - text.trimStart().length + (starts[low] ?? 0)
}
