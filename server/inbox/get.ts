import { sql } from 'kysely'
import { z } from 'zod'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getConversation as contract } from '#contract/inbox/conversations.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import { fail } from '../errors.ts'
import { othersAt } from '../presence/presence.ts'
import { reachable, type InboxReader } from './access.ts'
import { readItems } from './items.ts'
import { whyNoFurtherAnswer } from './mostAnswers.ts'
import { possibilities } from './possible.ts'
import {
  presentConversations,
  presentPerson,
  selectConversations,
  webAddress,
  type ConversationRow,
} from './present.ts'

type Reply = ReplyOf<typeof contract>

/** What the platform told of the post that a conversation is about (`RemoteSubject`), as far as it's shown. */
const StoredSubject = z.object({
  remoteId: z.string().catch(''),
  text: z.string(),
  at: z.string().nullable(),
  url: z.string().nullable(),
  person: z
    .object({ name: z.string(), handle: z.string(), pictureUrl: z.string().nullable(), url: z.string().nullable() })
    .nullable(),
})

type Opened = ConversationRow & {
  person_id: string | null
  post_id: string | null
  subject: unknown
  channel_status: string
  limits: unknown
}

/**
 * A conversation with its latest items, or those before or around another one, what it is about, and what the caller can do with it.
 * Throws NOT_FOUND. Before, after or around an item of another conversation there is nothing.
 */
export async function getConversation(
  c: InboxReader,
  conversationId: string,
  page: z.output<(typeof contract)['query']>,
  link: PictureLink,
): Promise<Reply> {
  const { rows } = await sql<Opened>`
    select shown.*, c.person_id, c.post_id, c.subject, ch.status as channel_status, ch.limits
    from conversation c join lateral (${selectConversations(c)} where c.org_id = ${c.org.orgId} and c.id = ${conversationId}) shown on true
    join channel ch on ch.org_id = c.org_id and ch.id = c.channel_id
    where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.id = ${conversationId} and ${reachable(c)}`.execute(
    c.tx,
  )
  const [row] = rows
  if (!row) throw fail('NOT_FOUND')
  const { conversations, ...names } = presentConversations(c, [row], link)
  const [conversation] = conversations
  if (!conversation) throw new Error('a conversation was not presented')
  const [{ items, more, later }, subject, earlier, answering, noFurther] = await Promise.all([
    readItems(c, row, page, link),
    readSubject(c, row, link),
    readEarlier(c, row),
    othersAt(c, { kind: 'conversation', id: row.id }),
    whyNoFurtherAnswer(c, row),
  ])
  return {
    ...names,
    conversation,
    subject,
    items,
    more,
    later,
    earlier,
    can: possibilities(c, row, noFurther),
    answering,
  }
}

/** What the inbox was told about the subject; of a post that was published elsewhere also what the channel's list says. */
async function readSubject(c: InboxReader, row: Opened, link: PictureLink): Promise<Reply['subject']> {
  const stored = StoredSubject.nullable().catch(null).parse(row.subject)
  if (row.post_id === null && stored === null) return null
  const found = row.post_id === null && stored ? await findElsewhere(c, row.channel_id, stored.remoteId) : undefined
  return {
    postId: row.post_id,
    text: stored?.text || (found?.excerpt ?? ''),
    at: stored?.at ?? found?.published_at.toISOString() ?? null,
    url: webAddress(stored?.url ?? found?.permalink ?? null),
    pictureUrl: link(c.org.orgId, found?.picture_url ?? null, c.now),
    person: presentPerson(c, { person: stored?.person ?? null }, link),
  }
}

/** The channel's post with this ID on its platform, if it was published elsewhere. */
const findElsewhere = ({ tx, org }: InboxReader, channelId: string, remoteId: string) =>
  tx
    .selectFrom('measured_post')
    .select(['excerpt', 'published_at', 'permalink', 'picture_url'])
    .where('org_id', '=', org.orgId)
    .where('channel_id', '=', channelId)
    .where('remote_id', '=', remoteId)
    .where('elsewhere', '=', true)
    .executeTakeFirst()

/** Other conversations of the same person that the caller sees. */
async function readEarlier(c: InboxReader, { id, person_id: personId }: Opened): Promise<Reply['earlier']> {
  if (personId === null) return []
  const { rows } = await sql<{ id: string; kind: Reply['earlier'][number]['kind']; preview: string; last_at: Date }>`
    select c.id, c.kind, c.preview, c.last_at from conversation c
    where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.person_id = ${personId} and c.id <> ${id} and ${reachable(c)}
    order by c.last_at desc, c.id desc limit 10`.execute(c.tx)
  return rows.map((row) => ({
    conversationId: row.id,
    kind: row.kind,
    preview: row.preview,
    lastAt: row.last_at.toISOString(),
  }))
}
