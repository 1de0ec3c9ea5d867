import { countText } from './platforms/countText.ts'
import type { DocumentRules, ImageRules, PlatformRules, PostRules, TextLimit, VideoRules } from './platforms/rules.ts'
import { withLink, withTitle } from './platforms/sentText.ts'
import { cashtagsIn } from './platforms/spans.ts'
import { addressesIn } from './platforms/webAddresses.ts'
import type { AdditionalDetails } from './content.ts'
import type { SentLinks } from './links/apply.ts'
import type { FileKind } from './mediaProblems.ts'
import { describePostProblem, problem, type PostProblem } from './postProblems.ts'

/** What the check needs to know about a file. What isn't known yet, such as a video's length, isn't checked. */
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
/** A post's parts besides its contents. */
export type MoreFacts = {
  details?: AdditionalDetails | undefined
  firstComment?: string | undefined
  findSpans?: PlatformRules['findSpans']
  /** What happens to its links: what is sent is counted, not what was written. */
  links?: SentLinks | undefined
}

/**
 * A rule that a post breaks: the field in the channel's part, and the problem with its message. `fix` names an offered
 * remedy: converting and shrinking the file, or cropping it.
 */
export type PostError = { field: string; problem: PostProblem; message: string; fix?: 'fit' | 'crop' }

/** The error of a problem at a field. */
export const broken = (field: string, problem: PostProblem, fix?: PostError['fix']): PostError => ({
  field,
  problem,
  message: describePostProblem(problem),
  ...(fix && { fix }),
})

/** Why nothing can be sent to the channel; `now` for a post that's published immediately. */
export function channelProblem(
  {
    enabled,
    planLocked = false,
    status,
    handle,
  }: { enabled: boolean; planLocked?: boolean; status: string; handle: string },
  now: boolean,
): PostProblem | null {
  if (!enabled) return problem(planLocked ? 'channel-over-plan' : 'channel-disabled', { handle })
  return now && status !== 'CONNECTED' ? problem('channel-signed-out', { handle }) : null
}

const kindOf = (type: string): FileKind =>
  type.startsWith('image/') ? 'image' : type.startsWith('video/') ? 'video' : 'document'

/** Every rule that one file breaks on this platform, checked when it's attached. */
export function mediaErrors(rules: PostRules, media: MediaFacts, field: string): PostError[] {
  const kind = kindOf(media.contentType)
  const limits: ImageRules | VideoRules | DocumentRules = {
    image: rules.images,
    video: rules.videos,
    document: rules.documents,
  }[kind]
  if (limits.most === 0) return [broken(field, problem('file-kind-unsupported', { kind }))]
  const errors: PostError[] = []
  const fix = kind === 'image' ? 'fit' : undefined
  if (!limits.types.includes(media.contentType))
    errors.push(broken(field, problem('file-type-unsupported', { kind, types: [...limits.types] }), fix))
  if (media.bytes > limits.bytes)
    errors.push(broken(field, problem('file-too-large', { kind, bytes: limits.bytes }), fix))
  const { leastBytes = 0 } = rules.images
  // enlarging a small file isn't a fix
  if (kind === 'image' && media.bytes < leastBytes)
    errors.push(broken(field, problem('image-too-few-bytes', { bytes: leastBytes })))
  if (kind === 'image')
    errors.push(...sideErrors(rules.images, media, field), ...altTextErrors(rules.images, media, field))
  if (kind === 'video') errors.push(...videoErrors(rules.videos, media, field))
  const { pages } = rules.documents
  if (kind === 'document' && (media.pages ?? 0) > pages)
    errors.push(broken(field, problem('document-too-many-pages', { pages })))
  return errors
}

function sideErrors({ shape, largest }: ImageRules, { width, height }: MediaFacts, field: string): PostError[] {
  if (!width || !height) return []
  const errors: PostError[] = []
  if (largest && isLargerThan(largest, { width, height }))
    errors.push(broken(field, problem('image-too-large', { shorter: largest.shorter, longer: largest.longer }), 'fit'))
  // platforms round ratios to two digits: 1200 by 628 is 1.91:1
  const ratio = Math.round((width / height) * 100) / 100
  if (shape && (ratio < shape.narrowest.value || ratio > shape.widest.value)) {
    const bounds = { narrowest: shape.narrowest.label, widest: shape.widest.label }
    errors.push(broken(field, problem('image-shape', bounds), 'crop'))
  }
  return errors
}

/** Whether an image is larger, in either orientation. */
const isLargerThan = (
  { longer, shorter }: NonNullable<ImageRules['largest']>,
  { width, height }: { width: number; height: number },
): boolean => Math.max(width, height) > longer || Math.min(width, height) > shorter

function altTextErrors({ altText }: ImageRules, media: MediaFacts, field: string): PostError[] {
  return altText && (media.altText?.length ?? 0) > altText.max
    ? [broken(field, problem('alt-text-too-long', { max: altText.max }))]
    : []
}

function videoErrors(
  rules: VideoRules,
  { seconds, width, height, hasThumbnail }: MediaFacts,
  field: string,
): PostError[] {
  const errors: PostError[] = []
  const say = (problem: PostProblem) => void errors.push(broken(field, problem))
  if (seconds != null && seconds < rules.seconds.min) say(problem('video-too-short', { seconds: rules.seconds.min }))
  if (seconds != null && seconds > rules.seconds.max) say(problem('video-too-long', { seconds: rules.seconds.max }))
  if (width != null && height != null) {
    if (rules.least && (width < rules.least.width || height < rules.least.height))
      say(problem('video-too-small', { width: rules.least.width, height: rules.least.height }))
    if (rules.shape === 'upright' && width > height) say(problem('video-not-upright'))
  }
  if (rules.thumbnail === 'required' && hasThumbnail === false) say(problem('video-without-thumbnail'))
  return errors
}

/**
 * Every rule that the contents break, with the same code while typing and on the server. Fields are relative to the
 * channel's part of the post, such as `contents.0.text`.
 */
export function postErrors(
  rules: PostRules,
  written: readonly ContentFacts[],
  { links, ...rest }: MoreFacts = {},
): PostError[] {
  const contents = links ? written.map((one) => ({ ...one, text: links.text(one.text.trim()) })) : written
  const more = links
    ? {
        ...rest,
        ...(rest.details && { details: links.details(rest.details) }),
        ...(rest.firstComment !== undefined && { firstComment: links.text(rest.firstComment.trim()) }),
      }
    : rest
  const errors: PostError[] = []
  if (contents.length > rules.thread.most)
    errors.push(broken('contents', problem('thread-too-long', { most: rules.thread.most })))
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
      errors.push(broken(`${at}.media`, problem('file-missing', { kinds: kindsOf(rules) })))
    else if (isEmpty) errors.push(broken(`${at}.text`, problem('text-missing', { orImage: rules.images.most > 0 })))
    for (const [j, media] of content.media.entries()) errors.push(...mediaErrors(rules, media, `${at}.media.${j}`))
  }
  return [...errors, ...cardErrors(rules, contents, more), ...detailErrors(rules, more), ...commentErrors(rules, more)]
}

function kindsOf({ images, videos }: PostRules): 'image' | 'video' | 'both' {
  if (images.most === 0) return 'video'
  return videos.most === 0 ? 'image' : 'both'
}

function titleErrors({ title, without }: PostRules, content: ContentFacts, i: number): PostError[] {
  if (!title || i > 0) return []
  const field = `contents.${i}.title`
  const words = content.title?.trim() ?? ''
  const used = countText(words, title.unit ?? 'characters')
  if (title.required && used === 0) return [broken(field, problem('title-missing'))]
  return [
    ...(used > title.max ? [over(field, 'title', used, title.max)] : []),
    ...signErrors(without, 'title', words, field),
  ]
}

function signErrors(without: PostRules['without'], what: string, words: string, field: string): PostError[] {
  return without?.some((sign) => words.includes(sign))
    ? [broken(field, problem('characters-not-allowed', { what, characters: [...without] }))]
    : []
}

/** The text in one place of a post, with what counts toward its limits. */
function textErrors(rules: PostRules, content: ContentFacts, field: string, more: MoreFacts): PostError[] {
  const text = content.text.trim()
  const errors: PostError[] = [
    ...lengthErrors(rules.text.limits, 'text', { ...content, text }, field, more.details),
    ...signErrors(rules.without, 'text', text, field),
  ]
  if (rules.text.required && !text) errors.push(broken(field, problem('text-missing', { orImage: false })))
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
      ? [over(field, what, used, limit.max, limit.unit === 'utf8bytes' ? 'byte' : 'character')]
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
    ['hashtags', most.hashtags, () => of('tag')],
    ['mentions', most.mentions, () => of('mention')],
    ['links', most.links, () => new Set([...addressesIn(text, 'named'), ...(link ? [link] : [])]).size],
    ['cashtags', most.cashtags, () => cashtagsIn(text)],
  ] as const
  return counted.flatMap(([kind, limit, used]) =>
    limit !== undefined && used() > limit ? [broken(field, problem('too-many-in-text', { kind, limit }))] : [],
  )
}

/** What else in a post counts toward a limit of its trimmed text, in the limit's own units. */
export function alsoCounted(
  { includes, unit }: TextLimit,
  { title = '', text, media }: ContentFacts,
  details: AdditionalDetails | undefined,
): number {
  // nothing is shortened in a content warning
  if (includes === 'contentWarning') return countText(details?.contentWarning?.trim() ?? '', 'graphemes')
  const sent =
    includes === 'link' && media.length > 0
      ? withLink(text, details?.link)
      : includes === 'title' && media.some(({ contentType }) => kindOf(contentType) === 'video')
        ? withTitle(title.trim(), text)
        : text
  return sent === text ? 0 : countText(sent, unit) - countText(text, unit)
}

const over = (
  field: string,
  what: string,
  used: number,
  max: number,
  unit: 'character' | 'byte' = 'character',
): PostError => broken(field, problem('text-too-long', { what, by: used - max, max, unit }))

function countErrors(rules: PostRules, { media }: ContentFacts, i: number): PostError[] {
  const field = `contents.${i}.media`
  const count = (kind: string) => media.filter((one) => kindOf(one.contentType) === kind).length
  const [images, videos, documents] = [count('image'), count('video'), count('document')]
  const errors: PostError[] = []
  const say = (problem: PostProblem) => void errors.push(broken(field, problem))
  for (const [kind, used, { most }] of [
    ['image', images, rules.images],
    ['video', videos, rules.videos],
    ['document', documents, rules.documents],
  ] as const)
    if (most > 0 && used > most) say(problem('too-many-files', { kind, most }))
  const most = Math.max(rules.images.most, rules.videos.most)
  if (rules.mixedMedia && images + videos > most) say(problem('too-many-images-and-videos', { most }))
  const { alone = [] } = rules.images
  if (images + videos > 1 && media.some(({ contentType }) => alone.includes(contentType)))
    say(problem('file-must-be-alone', { types: [...alone] }))
  if (images > 0 && videos > 0 && !rules.mixedMedia) say(problem('media-mixed'))
  if (documents > 0 && images + videos > 0) say(problem('documents-mixed'))
  return errors
}

/** A card is only sent if there are no images. */
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
    return used > limits[part] ? [over(`${field}.${part}`, `${part} of the link card`, used, limits[part])] : []
  })
}

/** The card cut to what the platform accepts: a page's own texts may be longer. */
export function fitLinkCard<C extends { title: string; description: string }>(
  { linkCard: limits }: Pick<PostRules, 'linkCard'>,
  card: C,
): C {
  if (!limits) return card
  const cut = (text: string, max: number) => Array.from(text).slice(0, max).join('')
  return { ...card, title: cut(card.title, limits.title), description: cut(card.description, limits.description) }
}

function detailErrors(rules: PostRules, { details = {} }: MoreFacts): PostError[] {
  return rules.details.flatMap(({ field, required, options, preset, max }): PostError[] => {
    const at = `additionalDetails.${field}`
    const value: unknown = details[field]
    if (value === undefined || value === null || value === '')
      return required && preset === undefined ? [broken(at, problem('detail-missing', { field }))] : []
    if (options && typeof value === 'string' && !options.some((option) => option.value === value))
      return [broken(at, problem('detail-not-an-option', { options: options.map((option) => option.label) }))]
    const barred = options?.find((option) => option.value === value && isBarred(option, details))?.barredBy
    if (barred) return [broken(at, problem(barred.problem))]
    if (max !== undefined && typeof value === 'string' && value.length > max)
      return [over(at, 'entry', value.length, max)]
    return partErrors(field, at, details)
  })
}

type DetailOption = NonNullable<PostRules['details'][number]['options']>[number]

const discloses = ({ disclosure }: AdditionalDetails, option: string): boolean =>
  (disclosure ? new Map<string, boolean>(Object.entries(disclosure)) : new Map<string, boolean>()).get(option) === true

/** Whether an option can't be chosen with what the post discloses. */
export const isBarred = ({ barredBy }: DetailOption, details: AdditionalDetails): boolean =>
  barredBy !== undefined && discloses(details, barredBy.disclosure)

/** The platform's label for what a post discloses: the strongest one if several are chosen. */
export const disclosedAs = (
  { details: rules }: Pick<PostRules, 'details'>,
  details: AdditionalDetails,
): string | undefined =>
  rules.find(({ field }) => field === 'disclosure')?.options?.findLast(({ value }) => discloses(details, value))
    ?.shownAs

/** What the author agrees to by posting this; empty if the platform requires no consent text. */
export const consentFor = ({ consent = [] }: Pick<PostRules, 'consent'>, details: AdditionalDetails) =>
  consent.filter(({ with: option }) => option === undefined || discloses(details, option))

/**
 * What is missing from a detail with several parts. A call button needs no URL: the platform dials the business's
 * number.
 */
function partErrors(field: string, at: string, details: AdditionalDetails): PostError[] {
  const { callToAction, event, disclosure } = details
  if (field === 'disclosure' && disclosure && !disclosure.yourBrand && !disclosure.brandedContent)
    return [broken(at, problem('disclosure-undecided'))]
  if (field === 'callToAction' && callToAction && callToAction.action !== 'CALL' && !callToAction.url)
    return [broken(`${at}.url`, problem('button-link-missing'))]
  if (field === 'event' && event && `${event.end.date} ${event.end.time}` <= `${event.start.date} ${event.start.time}`)
    return [broken(at, problem('event-ends-before-start'))]
  return []
}

/** How a first comment is counted: as a post if it is one. */
export const commentLimits = ({ firstComment, text }: PostRules): readonly TextLimit[] =>
  firstComment === null ? [] : firstComment === 'post' ? text.limits : [{ unit: 'characters', max: firstComment.max }]

function commentErrors(rules: PostRules, { firstComment = '', details, findSpans }: MoreFacts): PostError[] {
  const text = firstComment.trim()
  if (!text) return []
  const field = 'firstComment'
  if (!rules.firstComment) return [broken(field, problem('first-comment-unsupported'))]
  // the link belongs to the post
  const errors = lengthErrors(commentLimits(rules), 'first comment', { text, media: [] }, field, details)
  return rules.firstComment === 'post' ? [...errors, ...mostErrors(rules, text, field, { findSpans })] : errors
}
