import type { Publish, Reach, Refusal } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { isGone, refusalOf } from './refusals.ts'
import { Deleted, Posts, type XSecret } from './schemas.ts'

const TIMEOUT_MS = 20_000
const deleting = { doing: 'delete-post', irreversible: false } as const

/** Deletes the post after the account's own replies below it, last one first: otherwise X would keep them. */
export const remove: Publish['remove'] = withSecret(async (reach, own, _account, remoteId) => {
  const answers = await ownAnswers(reach, own, remoteId)
  if ('kind' in answers) return answers
  for (const id of [...answers, remoteId]) {
    const gone = await call(reach, own, {
      path: `/2/tweets/${id}`,
      method: 'DELETE',
      reply: Deleted,
      timeoutMs: TIMEOUT_MS,
    })
    if (gone.kind !== 'ok' && !isGone(gone)) return refusalOf(gone, deleting)
  }
  return { kind: 'removed' }
})

/** IDs of the account's own posts in this post's thread, newest first; none if the app may not read them. */
async function ownAnswers(reach: Reach, secret: XSecret, remoteId: string): Promise<string[] | Refusal> {
  const list = await call(reach, secret, {
    path: `/2/users/${secret.userId}/tweets`,
    query: { max_results: '100', since_id: remoteId, exclude: 'retweets', 'tweet.fields': 'conversation_id' },
    reply: Posts,
  })
  if (list.kind === 'ok')
    return list.value.data
      .filter(({ id, conversation_id: top }) => top === remoteId && id !== remoteId)
      .map(({ id }) => id)
  const refusal = refusalOf(list, deleting)
  return refusal.kind === 'rejected' ? [] : refusal
}
