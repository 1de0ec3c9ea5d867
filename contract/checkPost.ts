import {
  countText,
  type DocumentRules,
  type ImageRules,
  type PlatformRules,
  type PostRules,
  type TextLimit,
  type VideoRules,
} from './platforms/rules.ts'
import { withLink, withTitle } from './platforms/sentText.ts'
import { cashtagsIn } from './platforms/spans.ts'
import { addressesIn } from './platforms/webAddresses.ts'
import type { AdditionalDetails } from './content.ts'

/** What the check needs of one attached file. What is not known yet, such as the length of a video, is not checked. */
export type MediaFacts = {
  contentType: string
  bytes: number
  altText?: string | undefined
  seconds?: number | null | undefined
  width?: number | null | undefined
  height?: number | null | undefined
  pages?: number | null | undefined
  hasThumbnail?: boolean | undefined
}
export type ContentFacts = { title?: string | undefined; text: string; media: readonly MediaFacts[] }
/** What a post carries besides its contents. */
export type MoreFacts = {
  details?: AdditionalDetails | undefined
  firstComment?: string | undefined
  findSpans?: PlatformRules['findSpans']
}

/** A rule that a post breaks: the field within the channel's part, and the sentence for people. `fix` names a mend that is offered: converted and shrunk by itself, or cut by a person. */
export type PostError = { field: string; message: string; rule: string; fix?: 'fit' | 'crop' }

const kindOf = (type: string) =>
  type.startsWith('image/') ? 'image' : type.startsWith('video/') ? 'video' : 'document'
/** Never more than is taken: servers have odd limits, such as 16777216 bytes. */
const megabytes = (bytes: number) => String(Math.floor(bytes / 100_000) / 10)
/** As people know them from the ends of file names. */
const endings: Partial<Record<string, string>> = {
  'video/quicktime': 'mov',
  'video/x-msvideo': 'avi',
  'video/x-ms-wmv': 'wmv',
  'video/3gpp': '3gp',
}
const shortType = (type: string) => endings[type] ?? type.replace(/^\w+\//, '')
const nameOf = (type: string) => shortType(type).toUpperCase()

/** Said of a file whose type is none of those that are taken. */
export const unsupported = (kind: string, types: readonly string[]): string =>
  `unsupported ${kind} type. Supported: ${types.map(shortType).join(', ')}`

/** Every rule that one file breaks on this platform, checked the moment it is attached. */
export function mediaErrors(rules: PostRules, media: MediaFacts, field: string): PostError[] {
  const kind = kindOf(media.contentType)
  const limits: ImageRules | VideoRules | DocumentRules = {
    image: rules.images,
    video: rules.videos,
    document: rules.documents,
  }[kind]
  if (limits.most === 0) return [{ field, rule: `media.${kind}`, message: `${kind}s are not supported` }]
  const errors: PostError[] = []
  const fix = kind === 'image' ? ({ fix: 'fit' } as const) : {}
  const say = (rule: string, message: string) => void errors.push({ field, rule, message, ...fix })
  if (!limits.types.includes(media.contentType)) say(`media.${kind}.type`, unsupported(kind, limits.types))
  if (media.bytes > limits.bytes) say(`media.${kind}.bytes`, `${kind} size cannot exceed ${megabytes(limits.bytes)} MB`)
  // nothing makes a small file richer
  if (kind === 'image' && media.bytes < (rules.images.leastBytes ?? 0))
    errors.push({
      field,
      rule: 'media.image.leastBytes',
      message: `image size must be at least ${Math.round((rules.images.leastBytes ?? 0) / 1024)} KB`,
    })
  if (kind === 'image')
    errors.push(...sideErrors(rules.images, media, field), ...altTextErrors(rules.images, media, field))
  if (kind === 'video') errors.push(...videoErrors(rules.videos, media, field))
  if (kind === 'document' && (media.pages ?? 0) > rules.documents.pages)
    say('media.document.pages', `document cannot have more than ${rules.documents.pages} pages`)
  return errors
}

function sideErrors({ shape, largest }: ImageRules, { width, height }: MediaFacts, field: string): PostError[] {
  if (!width || !height) return []
  const errors: PostError[] = []
  if (largest && isLargerThan(largest, { width, height }))
    errors.push({
      field,
      rule: 'media.image.size',
      message: `image cannot be larger than ${largest.shorter} by ${largest.longer} pixels`,
      fix: 'fit',
    })
  // platforms name shapes by two digits: 1200 by 628 is 1.91:1
  const ratio = Math.round((width / height) * 100) / 100
  if (shape && (ratio < shape.narrowest.value || ratio > shape.widest.value))
    errors.push({
      field,
      rule: 'media.image.shape',
      message: `image must be between ${shape.narrowest.label} and ${shape.widest.label} (width to height)`,
      fix: 'crop',
    })
  return errors
}

/** Whether a picture is larger, whichever way up it stands. */
const isLargerThan = (
  { longer, shorter }: NonNullable<ImageRules['largest']>,
  { width, height }: { width: number; height: number },
): boolean => Math.max(width, height) > longer || Math.min(width, height) > shorter

function altTextErrors({ altText }: ImageRules, media: MediaFacts, field: string): PostError[] {
  return altText && (media.altText?.length ?? 0) > altText.max
    ? [{ field, rule: 'media.altText', message: `alt text cannot exceed ${altText.max} characters` }]
    : []
}

function videoErrors(
  rules: VideoRules,
  { seconds, width, height, hasThumbnail }: MediaFacts,
  field: string,
): PostError[] {
  const errors: PostError[] = []
  const say = (rule: string, message: string) => void errors.push({ field, rule, message })
  if (seconds != null && seconds < rules.seconds.min)
    say('media.video.seconds', `video must be at least ${inWords(rules.seconds.min)} long`)
  if (seconds != null && seconds > rules.seconds.max)
    say('media.video.seconds', `video cannot be longer than ${inWords(rules.seconds.max)}`)
  if (width != null && height != null) {
    if (rules.least && (width < rules.least.width || height < rules.least.height))
      say('media.video.size', `video must be at least ${rules.least.width} by ${rules.least.height} pixels`)
    if (rules.shape === 'upright' && width > height) say('media.video.shape', 'video must be portrait or square')
  }
  if (rules.thumbnail === 'required' && hasThumbnail === false)
    say('media.video.thumbnail', 'choose a thumbnail for the video')
  return errors
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  return seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
}

/**
 * Every rule that the contents break, by the same code while typing and on the server. Fields are relative to the
 * channel's part of the post, such as `contents.0.text`.
 */
export function postErrors(rules: PostRules, contents: readonly ContentFacts[], more: MoreFacts = {}): PostError[] {
  const errors: PostError[] = []
  if (contents.length > rules.thread.most)
    errors.push({
      field: 'contents',
      rule: 'thread',
      message:
        rules.thread.most === 1
          ? 'threads are not supported'
          : `a thread cannot have more than ${rules.thread.most} posts`,
    })
  const hasCard = rules.linkCard !== null && Boolean(more.details?.linkCard)
  for (const [i, content] of contents.entries()) {
    errors.push(
      ...titleErrors(rules, content, i),
      ...textErrors(
        rules,
        content,
        `contents.${i}.text`,
        i === 0 ? more : { ...more, details: { ...more.details, link: '' } },
      ),
      ...countErrors(rules, content, i),
    )
    const at = `contents.${i}`
    const isEmpty = !content.text.trim() && content.media.length === 0 && !(i === 0 && hasCard)
    if (rules.mediaRequired && i === 0 && content.media.length === 0)
      errors.push({ field: `${at}.media`, rule: 'media.required', message: mediaWanted(rules) })
    else if (isEmpty)
      errors.push({
        field: `${at}.text`,
        rule: 'text.required',
        message: rules.images.most > 0 ? 'write something or attach an image' : 'write something',
      })
    for (const [j, media] of content.media.entries()) errors.push(...mediaErrors(rules, media, `${at}.media.${j}`))
  }
  return [...errors, ...cardErrors(rules, contents, more), ...detailErrors(rules, more), ...commentErrors(rules, more)]
}

function mediaWanted({ images, videos }: PostRules): string {
  if (images.most === 0) return 'attach a video'
  return videos.most === 0 ? 'attach an image' : 'attach an image or a video'
}

function titleErrors({ title, without }: PostRules, content: ContentFacts, i: number): PostError[] {
  if (!title || i > 0) return []
  const field = `contents.${i}.title`
  const words = content.title?.trim() ?? ''
  const used = countText(words, title.unit ?? 'characters')
  if (title.required && used === 0) return [{ field, rule: 'title.required', message: 'write a title' }]
  return [
    ...(used > title.max ? [{ field, rule: 'title.max', message: over('title', used - title.max, title.max) }] : []),
    ...signErrors(without, 'title', words, field),
  ]
}

function signErrors(without: PostRules['without'], what: string, words: string, field: string): PostError[] {
  return without?.some((sign) => words.includes(sign))
    ? [{ field, rule: `${what}.without`, message: `the ${what} can't contain ${without.join(' or ')}` }]
    : []
}

/** What is said in one place of a post, with what counts towards its limits. */
function textErrors(rules: PostRules, content: ContentFacts, field: string, more: MoreFacts): PostError[] {
  const text = content.text.trim()
  const errors: PostError[] = [
    ...lengthErrors(rules.text.limits, 'text', { ...content, text }, field, more.details),
    ...signErrors(rules.without, 'text', text, field),
  ]
  if (rules.text.required && !text) errors.push({ field, rule: 'text.required', message: 'write something' })
  return [...errors, ...mostErrors(rules, text, field, more)]
}

function lengthErrors(
  limits: readonly TextLimit[],
  what: string,
  content: ContentFacts,
  field: string,
  details: AdditionalDetails | undefined,
): PostError[] {
  return limits.flatMap((limit) => {
    const used = countText(content.text, limit.unit, limit.addressLength) + alsoCounted(limit, content, details)
    return used > limit.max
      ? [
          {
            field,
            rule: `text.${limit.unit}`,
            message: over(what, used - limit.max, limit.max, limit.unit === 'utf8bytes' ? 'byte' : 'character'),
          },
        ]
      : []
  })
}

function mostErrors(
  { most, details: fields }: PostRules,
  text: string,
  field: string,
  { details, findSpans }: MoreFacts,
): PostError[] {
  if (!most) return []
  const of = (kind: 'tag' | 'mention') =>
    new Set(findSpans?.(text).flatMap((span) => (span.kind === kind ? [span.value] : []))).size
  const link = fields.some((one) => one.field === 'link') ? (details?.link ?? '') : ''
  const counted = [
    ['tag', most.hashtags, 'hashtags', () => of('tag')],
    ['mention', most.mentions, 'mentions', () => of('mention')],
    [
      'link',
      most.links,
      'different links',
      () => new Set([...addressesIn(text, 'named'), ...(link ? [link] : [])]).size,
    ],
    ['cashtag', most.cashtags, 'cashtag (such as $ABC)', () => cashtagsIn(text)],
  ] as const
  return counted.flatMap(([kind, limit, words, used]) =>
    limit !== undefined && used() > limit
      ? [
          {
            field,
            rule: `text.${kind}s`,
            message: `no more than ${limit} ${words} ${limit === 1 ? 'is' : 'are'} allowed`,
          },
        ]
      : [],
  )
}

/** What else of a post counts towards a limit of its trimmed text, in the limit's own units. */
export function alsoCounted(
  { includes, unit }: TextLimit,
  { title = '', text, media }: ContentFacts,
  details: AdditionalDetails | undefined,
): number {
  // nothing is shortened in a warning
  if (includes === 'contentWarning') return countText(details?.contentWarning?.trim() ?? '', 'graphemes')
  const sent =
    includes === 'link' && media.length > 0
      ? withLink(text, details?.link)
      : includes === 'title' && media.some(({ contentType }) => kindOf(contentType) === 'video')
        ? withTitle(title.trim(), text)
        : text
  return sent === text ? 0 : countText(sent, unit) - countText(text, unit)
}

const over = (what: string, by: number, max: number, unit = 'character'): string =>
  `the ${what} is ${by} ${unit}${by === 1 ? '' : 's'} over the limit of ${max}`

function countErrors(rules: PostRules, { media }: ContentFacts, i: number): PostError[] {
  const field = `contents.${i}.media`
  const count = (kind: string) => media.filter((one) => kindOf(one.contentType) === kind).length
  const [images, videos, documents] = [count('image'), count('video'), count('document')]
  const errors: PostError[] = []
  if (rules.images.most > 0 && images > rules.images.most)
    errors.push({ field, rule: 'media.image.count', message: `maximum ${rules.images.most} image(s) allowed` })
  if (rules.videos.most > 0 && videos > rules.videos.most)
    errors.push({ field, rule: 'media.video.count', message: `Maximum ${rules.videos.most} video(s) allowed` })
  if (rules.documents.most > 0 && documents > rules.documents.most)
    errors.push({ field, rule: 'media.document.count', message: `maximum ${rules.documents.most} document(s) allowed` })
  const mixes = rules.mixedMedia && images + videos > Math.max(rules.images.most, rules.videos.most)
  if (mixes)
    errors.push({
      field,
      rule: 'media.count',
      message: `maximum ${Math.max(rules.images.most, rules.videos.most)} images and videos allowed`,
    })
  if (images + videos > 1 && media.some(({ contentType }) => rules.images.alone?.includes(contentType)))
    errors.push({
      field,
      rule: 'media.alone',
      message: `a ${rules.images.alone?.map(nameOf).join(' or ')} must be the only file in a post`,
    })
  if (images > 0 && videos > 0 && !rules.mixedMedia)
    errors.push({ field, rule: 'media.mixed', message: 'mixed media types are not supported' })
  if (documents > 0 && images + videos > 0)
    errors.push({ field, rule: 'media.mixed', message: 'documents cannot be mixed with other media' })
  return errors
}

/** A card is only sent where there are no pictures. */
function cardErrors(
  { linkCard: limits }: PostRules,
  [first]: readonly ContentFacts[],
  { details }: MoreFacts,
): PostError[] {
  const card = details?.linkCard
  if (!limits || !card || (first?.media.length ?? 0) > 0) return []
  const field = 'additionalDetails.linkCard'
  return (['title', 'description'] as const).flatMap((part) => {
    const used = Array.from(card[part]).length
    return used > limits[part]
      ? [
          {
            field: `${field}.${part}`,
            rule: `linkCard.${part}`,
            message: over(`${part} of the link card`, used - limits[part], limits[part]),
          },
        ]
      : []
  })
}

/** The card cut to what the platform takes: a page's own words may be longer. */
export function fitLinkCard<C extends { title: string; description: string }>(
  { linkCard: limits }: Pick<PostRules, 'linkCard'>,
  card: C,
): C {
  if (!limits) return card
  const cut = (text: string, max: number) => Array.from(text).slice(0, max).join('')
  return { ...card, title: cut(card.title, limits.title), description: cut(card.description, limits.description) }
}

const wanted: Partial<Record<string, string>> = {
  boardId: 'choose a board',
  privacy: 'choose who can see it',
  madeForKids: "say whether it's made for kids",
  event: 'enter when it starts and ends',
  categoryId: 'choose a category',
}

function detailErrors(rules: PostRules, { details = {} }: MoreFacts): PostError[] {
  return rules.details.flatMap(({ field, required, options, preset, max }): PostError[] => {
    const at = `additionalDetails.${field}`
    const value: unknown = details[field]
    if (value === undefined || value === null || value === '')
      return required && preset === undefined
        ? [{ field: at, rule: `details.${field}.required`, message: wanted[field] ?? 'this is required' }]
        : []
    if (options && typeof value === 'string' && !options.some((option) => option.value === value))
      return [
        {
          field: at,
          rule: `details.${field}`,
          message: `choose one of: ${options.map((option) => option.label).join(', ')}`,
        },
      ]
    const barred = options?.find((option) => option.value === value && isBarred(option, details))?.barredBy
    if (barred) return [{ field: at, rule: `details.${field}.barred`, message: barred.message }]
    if (max !== undefined && typeof value === 'string' && value.length > max)
      return [{ field: at, rule: `details.${field}.max`, message: over('entry', value.length - max, max) }]
    return partErrors(field, at, details)
  })
}

type DetailOption = NonNullable<PostRules['details'][number]['options']>[number]

const discloses = ({ disclosure }: AdditionalDetails, option: string): boolean =>
  (disclosure ? new Map<string, boolean>(Object.entries(disclosure)) : new Map<string, boolean>()).get(option) === true

/** Whether an option may not be chosen beside what the post discloses. */
export const isBarred = ({ barredBy }: DetailOption, details: AdditionalDetails): boolean =>
  barredBy !== undefined && discloses(details, barredBy.disclosure)

/** The label that the platform puts on a post for what it discloses: the strongest one where several are chosen. */
export const disclosedAs = (
  { details: rules }: Pick<PostRules, 'details'>,
  details: AdditionalDetails,
): string | undefined =>
  rules.find(({ field }) => field === 'disclosure')?.options?.findLast(({ value }) => discloses(details, value))
    ?.shownAs

/** What the author agrees to by posting this; empty where the platform wants no consent shown. */
export const consentFor = ({ consent = [] }: Pick<PostRules, 'consent'>, details: AdditionalDetails) =>
  consent.filter(({ with: option }) => option === undefined || discloses(details, option))

/** What a detail of several parts lacks. A call needs no address: the platform dials the number of the business. */
function partErrors(field: string, at: string, details: AdditionalDetails): PostError[] {
  const { callToAction, event, disclosure } = details
  if (field === 'disclosure' && disclosure && !disclosure.yourBrand && !disclosure.brandedContent)
    return [
      {
        field: at,
        rule: 'details.disclosure.none',
        message: 'You need to indicate if your content promotes yourself, a third party, or both.',
      },
    ]
  if (field === 'callToAction' && callToAction && callToAction.action !== 'CALL' && !callToAction.url)
    return [{ field: `${at}.url`, rule: 'details.callToAction.url', message: 'enter the link for the button' }]
  if (field === 'event' && event && `${event.end.date} ${event.end.time}` <= `${event.start.date} ${event.start.time}`)
    return [{ field: at, rule: 'details.event.order', message: 'the end is before the start' }]
  return []
}

/** How a first comment is counted: as a post where it is one. */
export const commentLimits = ({ firstComment, text }: PostRules): readonly TextLimit[] =>
  firstComment === null ? [] : firstComment === 'post' ? text.limits : [{ unit: 'characters', max: firstComment.max }]

function commentErrors(rules: PostRules, { firstComment = '', details, findSpans }: MoreFacts): PostError[] {
  const text = firstComment.trim()
  if (!text) return []
  const field = 'firstComment'
  if (!rules.firstComment) return [{ field, rule: 'firstComment', message: 'a first comment is not supported' }]
  // the link belongs to the post
  const errors = lengthErrors(commentLimits(rules), 'first comment', { text, media: [] }, field, details)
  return rules.firstComment === 'post' ? [...errors, ...mostErrors(rules, text, field, { findSpans })] : errors
}
