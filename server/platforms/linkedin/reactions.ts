import type { ReactionKind } from '#contract/inbox/terms.ts'
import type { InboxActions } from '../inbox.ts'
import type { Reach, Refusal } from '../platform.ts'
import { call, encoded, withSecret } from './client.ts'
import { removeComment } from './replies.ts'
import { isGone, refusalOf } from './refusals.ts'
import { Anything, type LinkedInSecret } from './schemas.ts'

/*
 * One reaction of the Page to each comment or post. Another one replaces it only when the one before was taken back.
 */

const doing = { doing: 'react-to-item', irreversible: false } as const

const add = (reach: Reach, own: LinkedInSecret, root: string, reactionType: ReactionKind) =>
  call(reach, own, {
    path: `/rest/reactions?actor=${encoded(own.author)}`,
    method: 'POST',
    json: { root, reactionType },
    reply: Anything,
  })

/** Taking back what isn't there succeeds. */
async function takeBack(reach: Reach, own: LinkedInSecret, root: string): Promise<Refusal | undefined> {
  const taken = await call(reach, own, {
    path: `/rest/reactions/(actor:${encoded(own.author)},entity:${encoded(root)})`,
    method: 'DELETE',
    reply: Anything,
  })
  return taken.kind === 'ok' || isGone(taken) ? undefined : refusalOf(taken, doing)
}

export const actions: InboxActions = {
  react: withSecret(async (reach, own, _account, { remoteId }, reaction) => {
    const refused = await takeBack(reach, own, remoteId)
    if (refused) return refused
    if (reaction === null) return { kind: 'done' }
    const added = await add(reach, own, remoteId, reaction)
    return added.kind === 'ok' ? { kind: 'done' } : refusalOf(added, doing)
  }),
  remove: async (reach, secret, _account, { remoteId }) =>
    await removeComment(reach, secret, remoteId, 'delete-comment'),
}
