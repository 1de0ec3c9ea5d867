import { z } from 'zod'
import { AdditionalDetails, Mention, PostContent } from '#contract/content.ts'
import { DraftBody } from '#contract/drafts.ts'
import { excerptOf } from '#contract/excerpt.ts'
import { Schedule } from '#contract/submit.ts'
import { PostType } from '#contract/platforms/rules.ts'
import type { PostRecord } from './access.ts'
import { composerSchedule } from './time.ts'

const Contents = z.array(PostContent)
const Mentions = z.array(Mention)
const StoredDraft = DraftBody.nullable()

/** The JSON columns of a post, parsed by the schemas that wrote them. */
export const contentsOf = (post: Pick<PostRecord, 'contents'>): PostContent[] => Contents.parse(post.contents)
export const detailsOf = (post: Pick<PostRecord, 'details'>): AdditionalDetails => AdditionalDetails.parse(post.details)
export const scheduleOf = (post: Pick<PostRecord, 'schedule'>): Schedule => Schedule.parse(post.schedule)
export const draftOf = (post: Pick<PostRecord, 'draft'>): DraftBody | null => StoredDraft.parse(post.draft)

const mentionsOf = (post: Pick<PostRecord, 'mentions'>): Mention[] => Mentions.parse(post.mentions)

/** The number of a post's files; the more, the earlier the engine starts preparing. */
export const imagesOf = (contents: readonly PostContent[]): number =>
  contents.reduce((n, content) => n + content.media.length, 0)

/** What lists call a post: the beginning of its title if it has one, otherwise of its text. */
export const headlineOf = ([first]: readonly Pick<PostContent, 'title' | 'text'>[]): string =>
  excerptOf(first?.title?.trim() || (first?.text ?? ''))

/** The full content of a post; what an approval covers. */
export type Says = {
  contents: readonly PostContent[]
  details: AdditionalDetails
  firstComment: string
  mentions: readonly Mention[]
}
export const saysOf = (post: Pick<PostRecord, 'contents' | 'details' | 'first_comment' | 'mentions'>): Says => ({
  contents: contentsOf(post),
  details: detailsOf(post),
  firstComment: post.first_comment,
  mentions: mentionsOf(post),
})

/** The columns derived from the full content of a post. */
export const saysColumns = ({ contents, details, firstComment, mentions }: Says) => ({
  ...contentColumns(contents, details),
  first_comment: firstComment,
  mentions: JSON.stringify(mentions),
})

/** The columns derived from contents and details. */
export function contentColumns(contents: readonly PostContent[], details: AdditionalDetails) {
  return {
    contents: JSON.stringify(contents),
    details: JSON.stringify(details),
    excerpt: headlineOf(contents),
    images: imagesOf(contents),
  }
}

/** The composer's state for a post that already exists. */
export function draftBodyOf(post: PostRecord): DraftBody {
  const { contents, details, firstComment } = saysOf(post)
  const [first, ...thread] = contents
  return {
    ...(first?.title !== undefined && { title: first.title }),
    text: first?.text ?? '',
    media: first?.media ?? [],
    ...(thread.length > 0 && { thread }),
    channelIds: post.channel_id ? [post.channel_id] : [],
    additionalDetails: details,
    ...(firstComment !== '' && { firstComment }),
    ...(post.channel_id !== null && { variants: { [post.channel_id]: { postType: PostType.parse(post.post_type) } } }),
    schedule: composerSchedule(scheduleOf(post), post.zone),
  }
}
