import type { z } from 'zod'
import { isGone, pageQuery } from '../graph.ts'
import type { Publish, Reach } from '../platform.ts'
import { change, read, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { Deleted, MediaList, type Media, type ThreadsSecret } from './schemas.ts'

const TIMEOUT_MS = 20_000
/** How many pages of the account's replies are read to find those of one thread. */
const PAGES = 12
const doing = { doing: 'delete-post', irreversible: false } as const

/**
 * Deletes the post after the account's own replies in a chain below it, last one first: otherwise they would remain.
 * Needs the permission threads_delete; 100 deletions in 24 hours.
 */
export const remove: Publish['remove'] = withSecret(async (reach, own, _account, remoteId) => {
  for (const id of [...(await ownAnswers(reach, own, remoteId)).toReversed(), remoteId]) {
    const gone = await change(reach, own, { path: `/${id}`, method: 'DELETE', reply: Deleted, timeoutMs: TIMEOUT_MS })
    if (gone.kind !== 'ok' && !isGone(gone)) return refusalOf(gone, doing)
  }
  return { kind: 'removed' }
})

/** IDs of the account's own replies to the post or to one of them, oldest first; none if we may not read them. */
async function ownAnswers(reach: Reach, secret: ThreadsSecret, remoteId: string): Promise<string[]> {
  const fields = 'id,timestamp,replied_to'
  const replies: Media[] = []
  let next: string | null = null
  for (let page = 0; page < PAGES; page++) {
    const query: Record<string, string> = { limit: '100', ...pageQuery(next) }
    const list: Awaited<ReturnType<typeof read<z.infer<typeof MediaList>>>> = await read(
      reach,
      secret,
      `/${secret.userId}/replies`,
      fields,
      MediaList,
      query,
    )
    if (list.kind !== 'ok') return []
    replies.push(...list.value.data)
    next = list.value.paging.next
    if (next === null) break
  }
  const chain = new Set([remoteId])
  const oldestFirst = replies.toSorted((a, b) => (a.timestamp?.getTime() ?? 0) - (b.timestamp?.getTime() ?? 0))
  for (const { id, replied_to: answered } of oldestFirst) if (answered && chain.has(answered.id)) chain.add(id)
  return [...chain].slice(1)
}
