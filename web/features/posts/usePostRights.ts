import { myPermissions } from '#contract/organizations.ts'
import { allows, mayPublish } from '#contract/permissions.ts'
import type { PostRow } from '#contract/postLists.ts'
import { mayOnPost } from '#contract/postRights.ts'
import { permissionsAt } from '#web/lib/permissions.ts'
import { useHome, useProjectIds } from '#web/lib/project.ts'
import { useCall } from '#web/lib/queries.ts'

export type PostRights = {
  create: boolean
  edit: boolean
  move: boolean
  publish: boolean
  remove: boolean
  /** Whether the person may reconnect the post's channel. */ reconnect: boolean
}
type About = Pick<PostRow, 'status' | 'author' | 'channel'>
const nothing: PostRights = {
  create: false,
  edit: false,
  move: false,
  publish: false,
  remove: false,
  reconnect: false,
}

/** What the person's role allows with each post, by the rule that the server asks too. For showing only. */
export function useRightsOf(): (post: About) => PostRights {
  const me = useHome().data?.user.userId
  const mine = useCall(myPermissions, { params: useProjectIds() }).data
  return (post) => {
    if (!mine) return nothing
    const held = permissionsAt(mine, post.channel ? { channelId: post.channel.channelId } : {})
    const about = { held, status: post.status, isAuthor: post.author !== null && post.author.userId === me }
    return {
      create: allows(permissionsAt(mine), 'post', 'create'),
      edit: mayOnPost('edit', about),
      move: mayOnPost('reschedule', about),
      publish: mayPublish(held),
      remove: mayOnPost('delete', about),
      reconnect: allows(permissionsAt(mine), 'channel', 'create'),
    }
  }
}

/** The same for one post that may still be loading. */
export function usePostRights(post: About | undefined): PostRights {
  const rightsOf = useRightsOf()
  return post ? rightsOf(post) : nothing
}
