import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { Cursor, InboxChange, ReadAnswer, ReadAsk, RemoteItem } from '../../platforms/inbox.ts'
import type { Refusal } from '../../platforms/platform.ts'
import type { Channel } from './channel.ts'

/* Reads an account's inbox with its adapter, page by page, as the job does. */

/** More pages than any test needs. */
const MOST = 60

/** One page. */
export async function readPage(
  { platform, reach, secret, account }: Channel,
  ask: Omit<ReadAsk, 'since' | 'posts'> & Partial<ReadAsk>,
): Promise<ReadAnswer | Refusal> {
  if (!platform.inbox) throw new Error(`${platform.key} has no inbox`)
  const since = new Date(ask.now.getTime() - 30 * 86_400_000)
  return await platform.inbox.read(reach, secret, account, { since, posts: [], ...ask })
}

/** Everything from a cursor on. Throws the platform's refusals. */
export async function readInbox(
  channel: Channel,
  kind: ConversationKind,
  { now, cursor = null, posts = [] }: { now: number; cursor?: Cursor | null; posts?: ReadAsk['posts'] },
): Promise<{
  changes: InboxChange[]
  items: Map<string, RemoteItem>
  deleted: string[]
  cursor: Cursor
  pages: number
}> {
  const changes: InboxChange[] = []
  let at = cursor
  for (let pages = 1; pages <= MOST; pages++) {
    const answer = await readPage(channel, { kind, cursor: at, posts, now: new Date(now) })
    if (answer.kind !== 'read') throw new Error(JSON.stringify(answer))
    changes.push(...answer.changes)
    // what is stored between two readings is JSON
    at = JSON.parse(JSON.stringify(answer.cursor)) as Cursor
    if (answer.more) continue
    const items = new Map(changes.flatMap((one) => (one.change === 'item' ? [[one.remoteId, one] as const] : [])))
    const deleted = changes.flatMap((one) => (one.change === 'deleted' ? [one.remoteId] : []))
    return { changes, items, deleted, cursor: at, pages }
  }
  throw new Error(`it goes on after ${MOST} pages`)
}
