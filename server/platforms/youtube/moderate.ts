import type { InboxActions } from '../inbox.ts'
import { call, refusalOf, withSecret } from './client.ts'
import { Anything } from './schemas.ts'

/** Hiding holds a comment for review, which can be undone; showing publishes it, also one that YouTube holds itself. */
export const actions: InboxActions = {
  hide: withSecret(async (reach, own, _account, { remoteId }, hidden) => {
    const changed = await call(reach, own, {
      path: '/comments/setModerationStatus',
      method: 'POST',
      query: { id: remoteId, moderationStatus: hidden ? 'heldForReview' : 'published' },
      reply: Anything,
    })
    return changed.kind === 'ok' ? { kind: 'done' } : refusalOf(changed, { doing: 'hide-comment', irreversible: false })
  }),
}
