import { myPermissions } from '#contract/organisations.ts'
import { allows } from '#contract/permissions.ts'
import type { PostRow } from '#contract/postLists.ts'
import { permissionsAt } from '#web/lib/permissions.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

export type PostRights = { create: boolean; edit: boolean; publish: boolean; remove: boolean }
type About = Pick<PostRow, 'status' | 'author' | 'channel'>
const nothing: PostRights = { create: false, edit: false, publish: false, remove: false }

/** What the person's role allows with each post; who may only create still edits and deletes own drafts. For showing only. */
export function useRightsOf(): (post: About) => PostRights {
  const me = useHome().data?.user.userId
  const mine = useCall(myPermissions, { params: useProjectIds() }).data
  return (post) => {
    if (!mine) return nothing
    const held = permissionsAt(mine, post.channel ? { channelId: post.channel.channelId } : {})
    const ownDraft =
      allows(held, 'post', 'create') && post.status === 'DRAFTS' && post.author !== null && post.author.userId === me
    return {
      create: allows(permissionsAt(mine), 'post', 'create'),
      edit: allows(held, 'post', 'edit') || ownDraft,
      publish: allows(held, 'post', 'publish'),
      remove: allows(held, 'post', 'delete') || ownDraft,
    }
  }
}

/** The same for one post that may still be loading. */
export function usePostRights(post: About | undefined): PostRights {
  const rightsOf = useRightsOf()
  return post ? rightsOf(post) : nothing
}
