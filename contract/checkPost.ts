import { countText } from './platforms/countText.ts'
import { countsBytes, type PlatformRules, type PostRules, type TextLimit } from './platforms/rules.ts'
import { withLink, withTitle } from './platforms/sentText.ts'
import { cashtagsIn } from './platforms/spans.ts'
import { addressesIn } from './platforms/webAddresses.ts'
import type { AdditionalDetails } from './content.ts'
import type { SentLinks } from './links/apply.ts'
import { broken, mediaErrors, type MediaFacts, type PostError } from './checkMedia.ts'
import { fileKindOf } from './mediaProblems.ts'
import { problem, type PostProblem } from './postProblems.ts'

export type ContentFacts = { title?: string | undefined; text: string; media: readonly MediaFacts[] }
/** A post's parts besides its contents. */
export type MoreFacts = {
  details?: AdditionalDetails | undefined
  firstComment?: string | undefined
  findSpans?: PlatformRules['findSpans']
  /** What happens to its links: what is sent is counted, not what was written. */
  links?: SentLinks | undefined
  /** Images that need a copy get one when the post is submitted: nothing is wrong with them yet. */
  isUnsent?: boolean | undefined
}

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

/**
 * Every rule that the contents break, with the same code while typing and on the server. Fields are relative to the
 * channel's part of the post, such as `contents.0.text`.
 */
export function postErrors(
  rules: PostRules,
  written: readonly ContentFacts[],
  { links, isUnsent = false, ...rest }: MoreFacts = {},
): PostError[] {
  // what is beyond the thread's end has to go, whatever else is wrong with it
  const judged = written.slice(0, rules.thread.most)
  const contents = links ? judged.map((one) => ({ ...one, text: links.text(one.text.trim()) })) : judged
  const more = links
    ? {
        ...rest,
        ...(rest.details && { details: links.details(rest.details) }),
        ...(rest.firstComment !== undefined && { firstComment: links.text(rest.firstComment.trim()) }),
      }
    : rest
  const errors: PostError[] = []
  if (written.length > rules.thread.most)
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
    for (const [j, media] of content.media.entries())
      errors.push(...mediaErrors(rules, media, `${at}.media.${j}`).filter(({ fix }) => !isUnsent || fix !== 'fit'))
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
    return used > limit.max ? [over(field, what, used, limit.max, countsBytes(limit) ? 'byte' : 'character')] : []
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
      : includes === 'title' && media.some(({ contentType }) => fileKindOf(contentType) === 'video')
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
  const count = (kind: string) => media.filter((one) => fileKindOf(one.contentType) === kind).length
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
