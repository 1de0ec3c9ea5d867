import { isGone } from '../graph.ts'
import { unclear } from '../graphRefusals.ts'
import type { Outgoing, Reach, SettleAnswer } from '../platform.ts'
import { firstSince, sameText, type Found } from '../settling.ts'
import { cardOf, LABEL, messageOf, read } from './client.ts'
import { PostList, Prepared, StoryList, VideoState, type FacebookSecret, type Post } from './schemas.ts'

/*
 * Whether a post is there, without a key of our own: its pictures and its video have ids that no other post has, and text
 * alone is found by its words since the planned time.
 */

/**
 * The Page's own post that shows these pictures, this link, or says these words. Same words over pictures that are not known as
 * ours are no answer: a person decides rather than that a post goes out twice.
 */
export async function findPost(reach: Reach, secret: FacebookSecret, post: Outgoing): Promise<Found> {
  const fields = 'id,message,created_time,attachments{target,unshimmed_url,subattachments{target,unshimmed_url}}'
  const list = await read(reach, secret, `/${secret.pageId}/published_posts`, { fields, limit: '50' }, PostList)
  if (list.kind !== 'ok') return unclear(list, LABEL)
  const { photos } = Prepared.parse(post.progress)
  const posts = list.value.data.map((one) => ({ ...one, at: one.created_time }))
  const shown = firstSince(
    posts.filter((one) => targetsOf(one).some((id) => photos.includes(id))),
    post.createdAt,
  )
  if (shown) return { kind: 'found', id: shown.id }
  const said = firstSince(
    posts.filter((one) => says(one, post)),
    post.createdAt,
  )
  if (!said) return { kind: 'none' }
  if (photos.length === 0 || targetsOf(said).length === 0) return { kind: 'found', id: said.id }
  // no later look tells more
  return {
    kind: 'rejected',
    reason: {
      text: 'The Page shows a post with the same words, and Facebook does not say whether its pictures are these.',
      advice: 'Look at the Page to see whether the post is there.',
      platformCode: 'other-pictures',
    },
  }
}

const attachmentsOf = ({ attachments }: Post) =>
  (attachments?.data ?? []).flatMap((one) => [one, ...(one.subattachments?.data ?? [])])
const targetsOf = (post: Post): string[] => attachmentsOf(post).flatMap(({ target }) => (target?.id ? [target.id] : []))

function says(one: Post, post: Outgoing): boolean {
  if (!sameText(one.message, messageOf(post))) return false
  const link = cardOf(post)
  // a post of a link alone has no words to tell it from others
  return messageOf(post).trim() !== '' || !link || attachmentsOf(one).some(({ unshimmed_url: url }) => url === link)
}

/** The story that shows this picture or video. */
export async function findStory(
  reach: Reach,
  secret: FacebookSecret,
  mediaId: string | null | undefined,
): Promise<Found> {
  const list = await read(
    reach,
    secret,
    `/${secret.pageId}/stories`,
    { fields: 'post_id,media_id,url', limit: '50' },
    StoryList,
  )
  if (list.kind !== 'ok') return unclear(list, LABEL)
  const found = list.value.data.find(({ media_id: id }) => id !== null && id === mediaId)
  return found?.post_id ? { kind: 'found', id: found.post_id } : { kind: 'none' }
}

/** Reels say that they are published; videos of the feed are out as soon as they are ready. */
export const isOut = ({ status, published }: VideoState): boolean =>
  status.publishing_phase.status === 'complete' ||
  (status.publishing_phase.status === '' && status.video_status === 'ready' && published !== false)

/** What went wrong with a video; undefined while nothing has. */
export function problemOf({ status }: VideoState): string | undefined {
  const phases = [status.uploading_phase, status.processing_phase, status.publishing_phase]
  const words = phases.flatMap(({ errors }) => errors.map(({ message }) => message)).find(Boolean)
  const failed = status.video_status === 'error' || phases.some((phase) => phase.status === 'error')
  return failed ? (words ?? 'it does not say why') : undefined
}

/**
 * Whether the call that publishes a video was heard. A video that is in work is looked at again; one that waits for that call
 * was not published, and neither was one that failed.
 */
export async function settleVideo(
  reach: Reach,
  secret: FacebookSecret,
  post: Outgoing,
  videoId: string | null,
): Promise<SettleAnswer> {
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
      reason: {
        text: 'Facebook is still working on the video.',
        advice: 'We look again by ourselves.',
        platformCode: 'processing',
      },
    }
  return { kind: 'absent' }
}
