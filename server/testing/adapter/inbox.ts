import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { Cursor, InboxChange, OutgoingReply, RemoteItem } from '../../platforms/inbox.ts'
import type { Channel } from './channel.ts'

/* What tests of adapters' inboxes share. */

const DAY = 86_400_000
/** More pages than any test's platform has. */
const PAGES = 200

/** Everything that one reading brings, page by page, as the product does. Throws what the adapter refuses. */
export async function readAll(
  { platform, reach, secret, account }: Channel,
  {
    kind,
    cursor,
    now,
    posts: ids = [],
  }: { kind: ConversationKind; cursor: Cursor | null; now: Date; posts?: readonly string[] },
): Promise<{ changes: InboxChange[]; cursor: Cursor }> {
  if (!platform.inbox) throw new Error('no inbox')
  const since = new Date(now.getTime() - 30 * DAY)
  const posts = ids.map((remoteId) => ({ remoteId, publishedAt: now }))
  const changes: InboxChange[] = []
  let at = cursor
  for (let page = 0; page < PAGES; page++) {
    const answer = await platform.inbox.read(reach, secret, account, { kind, cursor: at, since, now, posts })
    if (answer.kind !== 'read') throw new Error(JSON.stringify(answer))
    changes.push(...answer.changes)
    if (!answer.more) return { changes, cursor: answer.cursor }
    at = answer.cursor
  }
  throw new Error('the reading does not end')
}

/** Items by their remote ids; of each the last one told. */
export const itemsIn = (changes: readonly InboxChange[]): Map<string, RemoteItem> =>
  new Map(changes.flatMap((change) => (change.change === 'item' ? [[change.remoteId, change] as const] : [])))

/** A reply to the first comment of a conversation, unless more is said. */
export const outgoingReply = (more: Partial<OutgoingReply> & { threadKey: string }): OutgoingReply => ({
  replyId: 'reply-1',
  conversation: 'comment',
  parent: { remoteId: more.threadKey, type: 'COMMENT', at: new Date(0) },
  subjectRemoteId: null,
  counterpart: null,
  text: 'Thank you',
  media: [],
  sendKey: 'key-1',
  createdAt: new Date(0),
  window: null,
  others: [],
  progress: {},
  ...more,
})
