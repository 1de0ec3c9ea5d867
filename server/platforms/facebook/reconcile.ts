import { because } from '#contract/failures/catalog.ts'
import type { z } from 'zod'
import { isGone, pageQuery } from '../graph.ts'
import { unclear } from '../graphRefusals.ts'
import { lookBack } from '../lookBack.ts'
import type { Outgoing, Reach, Refusal, ReconcileAnswer } from '../platform.ts'
import { isText, type Match } from '../alterations.ts'
import type { Found } from '../findSent.ts'
import { cardOf, LABEL, messageOf, read } from './client.ts'
import { PostList, Prepared, StoryList, VideoState, type FacebookSecret, type Post } from './schemas.ts'

/*
 * Finds out whether a post exists, without a key of ours: pictures and videos have IDs that no other post has; posts
 * with only text are found by their text since the planned time.
 */

/** Posts per page with their attachments: Facebook refuses more data at once. */
const PAGE = '50'
const PAGES = 10

/**
 * The Page's own post with these pictures, this link, or this text. The same text with unknown pictures is no answer:
 * it's better that a person decides than to send a post twice.
 */
export async function findPost(reach: Reach, secret: FacebookSecret, post: Outgoing): Promise<Found> {
  const fields = 'id,message,created_time,attachments{target,unshimmed_url,subattachments{target,unshimmed_url}}'
  const { photos } = Prepared.parse(post.progress)
  const said = await lookBack({
    label: LABEL,
    things: 'posts',
    since: post.createdAt,
    order: 'newest first',
    mostPages: PAGES,
    page: async (next) => {
      const query = { fields, limit: PAGE, ...pageQuery(next) }
      const list = await read(reach, secret, `/${secret.pageId}/published_posts`, query, PostList)
      return list.kind === 'ok'
        ? {
            kind: 'page',
            items: list.value.data.map((one) => ({ ...one, at: one.created_time })),
            next: list.value.paging.next,
          }
        : unclear(list, LABEL)
    },
    isCertain: (one) => targetsOf(one).some((id) => photos.includes(id)),
    isIt: (one) => says(one, post),
  })
  if (said.kind !== 'found') return said
  const shown = targetsOf(said.item)
  const isOurs = photos.length === 0 || shown.length === 0 || shown.some((id) => photos.includes(id))
  return isOurs ? { kind: 'found', id: said.item.id } : otherPictures
}

/** Later checks won't tell more. */
const otherPictures: Refusal = {
  kind: 'rejected',
  reason: { ...because('facebook-other-pictures'), platformCode: 'other-pictures' },
}

const attachmentsOf = ({ attachments }: Post) =>
  (attachments?.data ?? []).flatMap((one) => [one, ...(one.subattachments?.data ?? [])])
const targetsOf = (post: Post): string[] => attachmentsOf(post).flatMap(({ target }) => (target?.id ? [target.id] : []))

function says(one: Post, post: Outgoing): Match {
  const link = cardOf(post)
  const match = isText(one.message, messageOf(post))
  // a post with only a link has no text to identify it, and Facebook may have followed the link
  if (match === false || messageOf(post).trim() !== '' || !link) return match
  const shown = attachmentsOf(one).map(({ unshimmed_url: url }) => url)
  return shown.includes(link) || (shown.some((url) => url !== '' && !isFacebooks(url)) ? 'maybe' : false)
}

/** A picture's or video's own page. */
const isFacebooks = (url: string): boolean => /^https?:\/\/(?:[\w-]+\.)*facebook\.com\//.test(url)

/** The story that shows this picture or video. */
export async function findStory(
  reach: Reach,
  secret: FacebookSecret,
  mediaId: string | null | undefined,
  since: Date,
): Promise<Found> {
  const found = await searchStories(reach, secret, since, ({ media_id: id }) => id !== null && id === mediaId)
  if (found.kind !== 'found') return found
  return found.item.post_id === null ? namelessStory : { kind: 'found', id: found.item.post_id }
}

const namelessStory: Refusal = {
  kind: 'unknown',
  reason: { ...because('facebook-story-unnamed'), platformCode: 'no-id' },
}

type Story = z.infer<typeof StoryList>['data'][number] & { id: string; at: Date | null }

/** The Page's story that `isIt` accepts. */
export const searchStories = (reach: Reach, secret: FacebookSecret, since: Date, isIt: (story: Story) => boolean) =>
  lookBack<Story>({
    label: LABEL,
    things: 'stories',
    since,
    order: 'not promised',
    mostPages: PAGES,
    page: async (next) => {
      const query = { fields: 'post_id,media_id,creation_time,url', limit: PAGE, ...pageQuery(next) }
      const list = await read(reach, secret, `/${secret.pageId}/stories`, query, StoryList)
      if (list.kind !== 'ok') return unclear(list, LABEL)
      const items = list.value.data.map((story, place) => ({
        ...story,
        id: story.post_id ?? story.media_id ?? String(place),
        at: story.creation_time,
      }))
      return { kind: 'page', items, next: list.value.paging.next }
    },
    isCertain: isIt,
    isIt,
  })

/** Whether it's published: reels say so; feed videos are as soon as they're ready. */
export const isOut = ({ status, published }: VideoState): boolean =>
  status.publishing_phase.status === 'complete' ||
  (status.publishing_phase.status === '' && status.video_status === 'ready' && published !== false)

/** What went wrong with a video; undefined if nothing did. */
export function problemOf({ status }: VideoState): string | undefined {
  const phases = [status.uploading_phase, status.processing_phase, status.publishing_phase]
  const words = phases.flatMap(({ errors }) => errors.map(({ message }) => message)).find(Boolean)
  const failed = status.video_status === 'error' || phases.some((phase) => phase.status === 'error')
  return failed ? (words ?? 'it does not say why') : undefined
}

/**
 * Whether Facebook received the call that publishes a video. A video in progress is checked again; one that still waits
 * for that call, or failed, wasn't published.
 */
export async function settleVideo(
  reach: Reach,
  secret: FacebookSecret,
  post: Outgoing,
  videoId: string | null,
): Promise<ReconcileAnswer> {
  if (videoId === null) return { kind: 'absent' }
  const seen = await read(reach, secret, `/${videoId}`, { fields: 'id,status,published' }, VideoState)
  if (seen.kind !== 'ok') return isGone(seen) ? { kind: 'absent' } : unclear(seen, LABEL)
  const { status } = seen.value
  if (isOut(seen.value)) return { kind: 'sent', remoteId: seen.value.id, progress: post.progress }
  const inWork =
    status.processing_phase.status === 'in_progress' ||
    status.publishing_phase.status === 'in_progress' ||
    (status.processing_phase.status === '' && status.video_status === 'processing')
  if (inWork && problemOf(seen.value) === undefined)
    return {
      kind: 'retry',
      afterSeconds: 30,
      reason: { ...because('still-working', { platform: 'Facebook' }), platformCode: 'processing' },
    }
  return { kind: 'absent' }
}
