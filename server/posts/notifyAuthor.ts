import type { ProjectContext } from '../http/route.ts'
import { reaches, reachOf } from '../access/channels.ts'
import { createNotification } from '../notifications/create.ts'
import { nameOf } from '../people/names.ts'
import type { PostRecord } from './access.ts'
import { excerptOf } from '#contract/excerpt.ts'

/**
 * Notifies the author of a post that waits for approval that someone else edited it, since what gets approved then
 * isn't what they wrote. Authors who can't see the post anymore aren't notified.
 */
export async function notifyAuthor(c: ProjectContext, post: PostRecord, text: string): Promise<void> {
  const { author_id: authorId, channel_id: channelId } = post
  if (post.state !== 'NEEDS_APPROVAL' || authorId === null || authorId === c.caller.personId) return
  const reach = await reachOf(c.tx, { orgId: c.org.orgId, project: c.project }, authorId)
  if (!reach || (channelId !== null && !reaches(reach, channelId))) return
  await createNotification(
    c.tx,
    {
      orgId: c.org.orgId,
      projectId: c.project.projectId,
      dedupeKey: `post:${post.id}:edited`,
      kind: 'post-edited',
      params: { editor: await nameOf(c.tx, c.caller.personId), postId: post.id, excerpt: excerptOf(text) },
      people: [authorId],
      channelIds: channelId === null ? null : [channelId],
    },
    c.now,
  )
}
