import type { InboxActions } from '../inbox.ts'
import { call, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { Anything } from './schemas.ts'

/** X hides replies in threads that the account began. */
export const actions: InboxActions = {
  hide: withSecret(async (reach, own, _account, { remoteId }, hidden) => {
    const changed = await call(reach, own, {
      path: `/2/tweets/${remoteId}/hidden`,
      method: 'PUT',
      json: { hidden },
      reply: Anything,
    })
    return changed.kind === 'ok' ? { kind: 'done' } : refusalOf(changed, { doing: 'hide-comment', irreversible: false })
  }),
}
