import type { ProjectContext } from '../http/route.ts'
import { reaches, reachOf } from '../channels/access.ts'
import { raiseNotice } from '../notices/raise.ts'
import { nameOf } from '../workflows/open.ts'
import type { PostRecord } from './access.ts'
import { excerptOf } from './content.ts'

/**
 * Notifies the author of a post that waits for approval that somebody else edited it, since from then on it is approved
 * with words that aren't theirs. Authors who can't see the post anymore are not notified.
 */
export async function tellAuthor(c: ProjectContext, post: PostRecord, text: string): Promise<void> {
  const { author_id: authorId, channel_id: channelId } = post
  if (post.state !== 'NEEDS_APPROVAL' || authorId === null || authorId === c.caller.personId) return
  const reach = await reachOf(c.tx, { orgId: c.org.orgId, project: c.project }, authorId)
  if (!reach || (channelId !== null && !reaches(reach, channelId))) return
  await raiseNotice(
    c.tx,
    {
      orgId: c.org.orgId,
      projectId: c.project.projectId,
      matter: `post:${post.id}:edited`,
      kind: 'post-edited',
      title: `${await nameOf(c.tx, c.caller.personId)} edited your post that waits for approval`,
      body: excerptOf(text) || 'A post without text.',
      link: `/${c.org.orgId}/project/${c.project.projectId}/post/${post.id}`,
      people: [authorId],
      channelIds: channelId === null ? null : [channelId],
    },
    c.now,
  )
}
