import type { PostRow } from '#contract/posts.ts'
import { useMay } from '#web/lib/permissions.ts'
import { useHome } from '#web/lib/project.ts'

export type PostRights = { edit: boolean; publish: boolean; remove: boolean }

/** What the person's role allows with a post; who may only create still edits and deletes own drafts. For showing only. */
export function usePostRights(post: Pick<PostRow, 'status' | 'author' | 'channel'> | undefined): PostRights {
  const home = useHome()
  const scope = post?.channel ? { channelId: post.channel.channelId } : {}
  const edit = useMay([['post', 'edit']], scope) === 'yes'
  const publish = useMay([['post', 'publish']], scope) === 'yes'
  const remove = useMay([['post', 'delete']], scope) === 'yes'
  const create = useMay([['post', 'create']], scope) === 'yes'
  const ownDraft = create && post?.status === 'DRAFTS' && post.author?.userId === home.data?.user.userId
  return { edit: edit || ownDraft, publish, remove: remove || ownDraft }
}
