import { countText, type PostRules } from './platforms/rules.ts'

/** What the check needs of one attached file. */
export type MediaFacts = { contentType: string; bytes: number; altText?: string | undefined }
export type ContentFacts = { text: string; media: readonly MediaFacts[] }

/** A rule that a post breaks: the field within the channel's part, and the sentence for people. `fix` names a mend that is offered. */
export type PostError = { field: string; message: string; rule: string; fix?: 'fit' }

const kindOf = (type: string) => (type.startsWith('image/') ? 'image' : type.startsWith('video/') ? 'video' : 'document')
const megabytes = (bytes: number) => String(bytes / 1_000_000)
const shortType = (type: string) => type.replace(/^\w+\//, '')

/** Every rule that one file breaks on this platform, checked the moment it is attached. */
export function mediaErrors(rules: PostRules, media: MediaFacts, field: string): PostError[] {
  const kind = kindOf(media.contentType)
  const limits = kind === 'image' ? rules.images : kind === 'video' ? rules.videos : undefined
  if (!limits) return rules.documents === 0 ? [{ field, rule: 'media.documents', message: 'documents are not supported' }] : []
  const errors: PostError[] = []
  if (limits.most === 0) return [{ field, rule: `media.${kind}`, message: `${kind}s are not supported` }]
  const fix = kind === 'image' ? ({ fix: 'fit' } as const) : {}
  if (!limits.types.includes(media.contentType)) {
    errors.push({
      field,
      rule: `media.${kind}.type`,
      message: `unsupported ${kind} type. Supported: ${limits.types.map(shortType).join(', ')}`,
      ...fix,
    })
  }
  if (media.bytes > limits.bytes)
    errors.push({ field, rule: `media.${kind}.bytes`, message: `${kind} size cannot exceed ${megabytes(limits.bytes)} MB`, ...fix })
  if (kind === 'image' && (media.altText?.length ?? 0) > rules.images.altText.max) {
    errors.push({ field, rule: 'media.altText', message: `the alternative text cannot exceed ${rules.images.altText.max} characters` })
  }
  return errors
}

/**
 * Every rule that the contents break, by the same code while typing and on the server. Fields are relative to the
 * channel's part of the post, such as `contents.0.text`.
 */
export function postErrors(rules: PostRules, contents: readonly ContentFacts[], hasLinkCard = false): PostError[] {
  const errors: PostError[] = []
  if (contents.length > rules.thread.most)
    errors.push({
      field: 'contents',
      rule: 'thread',
      message: rules.thread.most === 1 ? 'threads are not supported' : `a thread cannot have more than ${rules.thread.most} posts`,
    })
  for (const [i, content] of contents.entries()) {
    const at = `contents.${i}`
    const text = content.text.trim()
    for (const limit of rules.text.limits) {
      const used = countText(text, limit.unit)
      if (used > limit.max)
        errors.push({
          field: `${at}.text`,
          rule: `text.${limit.unit}`,
          message: `the text is ${used - limit.max} ${limit.unit === 'utf8bytes' ? 'byte' : 'character'}${used - limit.max === 1 ? '' : 's'} over the limit of ${limit.max}`,
        })
    }
    if (!text && content.media.length === 0 && !(i === 0 && hasLinkCard))
      errors.push({ field: `${at}.text`, rule: 'text.required', message: 'write something or attach a picture' })
    const images = content.media.filter((m) => kindOf(m.contentType) === 'image').length
    const videos = content.media.filter((m) => kindOf(m.contentType) === 'video').length
    const documents = content.media.length - images - videos
    if (rules.images.most > 0 && images > rules.images.most)
      errors.push({ field: `${at}.media`, rule: 'media.image.count', message: `maximum ${rules.images.most} image(s) allowed` })
    if (rules.videos.most > 0 && videos > rules.videos.most)
      errors.push({ field: `${at}.media`, rule: 'media.video.count', message: `Maximum ${rules.videos.most} video(s) allowed` })
    if (images > 0 && videos > 0 && !rules.mixedMedia)
      errors.push({ field: `${at}.media`, rule: 'media.mixed', message: 'mixed media types are not supported' })
    if (documents > 0 && images + videos > 0)
      errors.push({ field: `${at}.media`, rule: 'media.mixed', message: 'documents cannot be mixed with other media' })
    for (const [j, media] of content.media.entries()) errors.push(...mediaErrors(rules, media, `${at}.media.${j}`))
  }
  return errors
}
