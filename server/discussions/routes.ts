import * as contract from '#contract/discussions.ts'
import { handle, type Route } from '../http/route.ts'
import { getDiscussion, listDiscussions } from './queries.ts'
import { deleteDiscussion, editDiscussion, resolveDiscussion, startDiscussion, type Say } from './write.ts'

/** `say` writes messages, which are notes. */
export function discussionRoutes(say: Say): Route[] {
  return [
    handle(contract.listDiscussions, (c) => listDiscussions(c, c.query)),
    handle(contract.getDiscussion, (c) => getDiscussion(c, c.params.discussionId)),
    handle(contract.createDiscussion, async (c) => ({
      discussionId: await startDiscussion(c, c.body, say),
      message: 'Discussion started',
    })),
    handle(contract.editDiscussion, async (c) => {
      await editDiscussion(c, c.params.discussionId, c.body)
      return { message: 'Discussion updated' }
    }),
    handle(contract.resolveDiscussion, async (c) => {
      await resolveDiscussion(c, c.params.discussionId, c.body.resolved)
      return { message: c.body.resolved ? 'Discussion resolved' : 'Discussion reopened' }
    }),
    handle(contract.deleteDiscussion, async (c) => {
      await deleteDiscussion(c, c.params.discussionId)
      return { message: 'Discussion deleted' }
    }),
  ]
}
