import { sql } from 'kysely'
import { defaultWays, type NoticeTopic } from '#contract/notices.ts'
import type { NotificationFacts } from '#contract/notifications/catalog.ts'
import { LOW_RATING } from '#contract/notifications/inbox.ts'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { Tx } from '../db/kysely.ts'
import { memberMay } from '../access/memberMay.ts'
import { createNotification } from '../notifications/create.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { membersWhoSee } from './access.ts'
import type { InboxChannel } from './channel.ts'
import type { Applied } from './store.ts'

/** Of each topic, the kind about one conversation and the kind about many. In the order in which one is chosen. */
const kinds = {
  inbox_assigned: { one: 'inbox-new-assigned', many: 'inbox-new-assigned-many' },
  low_reviews: { one: 'inbox-low-review', many: 'inbox-low-review-many' },
  inbox_unassigned: { one: 'inbox-new-unassigned', many: 'inbox-new-unassigned-many' },
} as const satisfies Partial<Record<NoticeTopic, unknown>>
type Topic = keyof typeof kinds

// keys of a const object are its literal union
const topics = Object.keys(kinds) as Topic[]

/** So many unread conversations of a topic are notified about one by one; beyond, one notification covers the rest. */
export const NOTIFIED_EACH = 10

type News = {
  topic: Topic
  people: string[]
  /** Null for many conversations at once. */
  id: string | null
  kind: ConversationKind
  rating: number | null
}

/**
 * Notifies people of what just came in, once for each conversation until they read it, as they chose: of what's assigned
 * to them, of low reviews, and of what nobody is assigned to. Only those who see the conversation and haven't seen what's
 * new; only of what waits for an answer. Whoever is writing an answer has it before them. In the transaction that stores
 * what came in.
 */
export async function notifyReceived(
  tx: Tx,
  channel: InboxChannel,
  received: Applied['received'],
  now: Date,
): Promise<void> {
  if (received.length === 0) return
  const { orgId, projectId, channelId, platform } = channel
  const news = await readNews(tx, channel, [...new Set(received.map((item) => item.conversationId))], now)
  if (news.length === 0) return
  const { handle } = await tx
    .selectFrom('channel')
    .select('handle')
    .where('org_id', '=', orgId)
    .where('id', '=', channelId)
    .executeTakeFirstOrThrow()
  for (const one of news)
    await createNotification(
      tx,
      {
        orgId,
        projectId,
        channelIds: [channelId],
        people: one.people,
        dedupeKey: one.id === null ? dedupeKeys.receivedMany(projectId, one.topic) : dedupeKeys.received(one.id),
        ...factsOf(one, { handle, platform }),
      },
      now,
    )
}

function factsOf(
  { topic, id, kind: conversation, rating }: News,
  channel: Pick<InboxChannel, 'platform'> & { handle: string },
): NotificationFacts {
  const { one, many } = kinds[topic]
  if (id === null) return { kind: many, params: {} }
  const params = { ...channel, conversationId: id, conversation }
  return one === 'inbox-low-review'
    ? { kind: one, params: { ...params, rating: rating ?? LOW_RATING } }
    : { kind: one, params }
}

/**
 * Who is to be notified of which conversations. Each person gets one notification of a conversation: of the topic that
 * reaches them in most ways, the first of those if several do. Digests come last, so that all readings lock notices in
 * one order.
 */
async function readNews(
  tx: Tx,
  { orgId, projectId, channelId }: InboxChannel,
  ids: readonly string[],
  now: Date,
): Promise<News[]> {
  const byDefault = JSON.stringify(
    topics.map((topic, place) => ({ topic, place, kind: kinds[topic].one, ...defaultWays(topic) })),
  )
  const answers = sql`case n.kind when 'message' then ${memberMay('dm', 'create')} else ${memberMay('comment', 'create')} end`
  const applies = sql`case t.topic
    when 'inbox_assigned' then s.person_id = n.assignee_id
    when 'low_reviews' then n.kind = 'review' and n.rating <= ${LOW_RATING}
    else n.assignee_id is null and s.answers end`
  const { rows } = await sql<News>`
    with topic as (
      select * from jsonb_to_recordset(${byDefault}::jsonb) as t(topic text, place int, kind text, "inApp" boolean, mail boolean)
    ), news as (
      select c.id, c.kind, c.rating, c.assignee_id, c.last_received_at from conversation c
      where c.org_id = ${orgId} and c.id = any(${[...ids]}::uuid[]) and c.status = 'OPEN' and c.unanswered > 0
    ), chosen as (
      select distinct on (n.id, s.person_id) n.id, n.kind, n.rating, s.person_id, t.topic
      from news n
      cross join lateral (select m.person_id, ${answers} as answers from ${membersWhoSee(orgId, projectId, sql`n.kind`, sql`${channelId}::uuid`)}) s
      join topic t on ${applies}
      left join notice_preference w on w.person_id = s.person_id and w.topic = t.topic
      cross join lateral (select coalesce(w.in_app, t."inApp")::int + coalesce(w.mail, t.mail)::int as number) ways
      where ways.number > 0
        and not exists (select from conversation_read seen where seen.org_id = ${orgId} and seen.person_id = s.person_id and seen.conversation_id = n.id and seen.up_to >= n.last_received_at)
        and not exists (select from conversation_editor e where e.org_id = ${orgId} and e.conversation_id = n.id and e.person_id = s.person_id and e.until > ${now})
      order by n.id, s.person_id, ways.number desc, t.place
    ), unread as (
      select person_id, dedupe_key, kind from notice
      where org_id = ${orgId} and project_id = ${projectId} and read_at is null and person_id in (select person_id from chosen)
        and (kind in (select kind from topic) or dedupe_key = any(${topics.map((topic) => dedupeKeys.receivedMany(projectId, topic))}::text[]))
    ), known as (
      select c.*, exists (select from unread u where u.person_id = c.person_id and u.dedupe_key = 'conversation:' || c.id || ':received') as is_told
      from chosen c
    ), counted as (
      select k.*, count(*) filter (where not k.is_told) over (partition by k.person_id, k.topic)
        + (select count(*) from unread u join topic t on t.kind = u.kind where u.person_id = k.person_id and t.topic = k.topic) as total
      from known k
    ), told as (
      select case when is_told or total <= ${NOTIFIED_EACH} then id end as id, topic, kind, rating, person_id from counted
    )
    select t.id, t.topic, min(t.kind) as kind, min(t.rating) as rating, array_agg(distinct t.person_id) as people
    from told t
    where t.id is not null or not exists (select from unread u where u.person_id = t.person_id and u.dedupe_key = 'project:' || ${projectId}::text || ':received:' || t.topic)
    group by t.id, t.topic order by t.id nulls last, t.topic`.execute(tx)
  return rows
}
