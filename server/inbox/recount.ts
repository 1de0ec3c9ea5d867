import { sql } from 'kysely'
import { excerptOf } from '#contract/excerpt.ts'
import { PREVIEW_LENGTH, type ConversationStatus, type Direction, type Sentiment } from '#contract/inbox/terms.ts'
import type { Tx } from '../db/kysely.ts'
import { JUDGED_LENGTH, judge } from './sentiment/judge.ts'

/** How many of the latest items of the other side are asked how they sound. */
const JUDGED_ITEMS = 5

/** What happened to conversations that may change their status, by id. */
export type Moves = {
  /** Something was received. */
  opened: ReadonlySet<string>
  /** We wrote something, from here or on the platform. */
  answered: ReadonlySet<string>
  /** Something was deleted. */
  emptied: ReadonlySet<string>
  /** The first reading: what needs no answer any more begins closed. */
  first: boolean
}

const noMoves: Moves = { opened: new Set(), answered: new Set(), emptied: new Set(), first: false }

type Facts = {
  id: string
  kind: string
  status: ConversationStatus
  follow_up_on: string | null
  person_id: string | null
  sentiment: Sentiment | null
  sentiment_by: string | null
  last_at: Date
  last_direction: Direction
  last_text: string | null
  last_received_at: Date | null
  answered: boolean
  unanswered: number
  waiting_since: Date | null
  held: number
  rating: number | null
  root_person_id: string | null
  only_person_id: string | null
  reply_closes: boolean
  /** Someone here has taken it on or answered it. */
  handled: boolean
  /** What the other side wrote last, newest first. */
  texts: string[] | null
  /** Whether some of that may not be kept any longer. */
  expired: boolean | null
}

/**
 * Derives from their items what lists show of these conversations, and moves their status: what is received opens, our
 * answer closes where the project wants that, and a conversation of which nothing is left is closed. Raises their version.
 * Locks their rows, in the order of their ids.
 */
export async function recount(
  tx: Tx,
  { orgId, channelId }: { orgId: string; channelId: string },
  ids: readonly string[],
  moves: Moves = noMoves,
): Promise<void> {
  if (ids.length === 0) return
  const facts = await readFacts(tx, orgId, channelId, ids)
  const rows = facts.map((one) => {
    const status = statusAfter(one, moves)
    return {
      id: one.id,
      status,
      follow_up_on: status === 'FOLLOWUP' ? one.follow_up_on : null,
      person_id: one.kind === 'message' ? one.person_id : (one.root_person_id ?? one.only_person_id),
      last_at: one.last_at,
      last_direction: one.last_direction,
      preview: excerptOf(one.last_text ?? '', PREVIEW_LENGTH),
      last_received_at: one.last_received_at,
      unanswered: one.unanswered,
      waiting_since: one.waiting_since,
      held: one.held,
      answered: one.answered,
      rating: one.rating,
      ...sentimentOf(one),
    }
  })
  await sql`
    update conversation c set status = n.status, follow_up_on = n.follow_up_on, person_id = n.person_id, last_at = n.last_at, last_direction = n.last_direction,
      preview = n.preview, last_received_at = n.last_received_at, unanswered = n.unanswered, waiting_since = n.waiting_since, held = n.held, answered = n.answered,
      rating = n.rating, sentiment = n.sentiment, sentiment_by = n.sentiment_by, version = c.version + 1
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id uuid, status text, follow_up_on date, person_id uuid, last_at timestamptz, last_direction text,
      preview text, last_received_at timestamptz, unanswered int, waiting_since timestamptz, held int, answered boolean, rating int, sentiment text, sentiment_by text)
    where c.org_id = ${orgId} and c.id = n.id`.execute(tx)
}

type Judged = Pick<Facts, 'sentiment' | 'sentiment_by'>

/**
 * How a conversation sounds: what a person said of it, else its stars, else the latest of what was received that says
 * anything. What was judged stays when the text may not be kept.
 */
function sentimentOf({ sentiment, sentiment_by, rating, texts, expired }: Facts): Judged {
  if (sentiment_by === 'person') return { sentiment, sentiment_by }
  if (rating !== null) return { sentiment: ofStars(rating), sentiment_by: 'rating' }
  for (const text of texts ?? []) {
    const verdict = judge(text)
    if (verdict) return { sentiment: verdict, sentiment_by: 'words' }
  }
  return expired ? { sentiment, sentiment_by } : { sentiment: null, sentiment_by: null }
}

/** As decided: 1 and 2 are negative, 3 is neutral. */
const ofStars = (rating: number): Sentiment => (rating > 3 ? 'positive' : rating < 3 ? 'negative' : 'neutral')

/** What a conversation would be judged as if nobody had said anything. Locks its row. */
export async function judgeAgain(
  tx: Tx,
  { org_id, channel_id, id }: { org_id: string; channel_id: string; id: string },
): Promise<Judged> {
  const [facts] = await readFacts(tx, org_id, channel_id, [id])
  return facts
    ? sentimentOf({ ...facts, sentiment: null, sentiment_by: null })
    : { sentiment: null, sentiment_by: null }
}

function statusAfter(
  { id, status, unanswered, last_received_at: received, reply_closes: replyCloses, handled }: Facts,
  { opened, answered, emptied, first }: Moves,
): ConversationStatus {
  if (emptied.has(id) && received === null) return 'CLOSED'
  // what people work on already isn't old news, such as after reconnecting
  if (first && unanswered === 0 && !handled) return status === 'FOLLOWUP' ? status : 'CLOSED'
  if (opened.has(id)) return 'OPEN'
  return answered.has(id) && replyCloses && unanswered === 0 && status === 'OPEN' ? 'CLOSED' : status
}

/** Waiting are items of the other side that can be seen and came after our last one. What was deleted counts for nothing, unless nothing else is left. */
async function readFacts(tx: Tx, orgId: string, channelId: string, ids: readonly string[]): Promise<Facts[]> {
  const { rows } = await sql<Facts>`
    with locked as (
      select c.* from conversation c where c.org_id = ${orgId} and c.id = any(${[...ids]}::uuid[]) order by c.id for update
    )
    select c.id, c.kind, c.status, c.follow_up_on::text, c.person_id, c.sentiment, c.sentiment_by,
      coalesce(l.at, d.at, c.last_at) as last_at, coalesce(l.direction, d.direction, c.last_direction) as last_direction, l.text as last_text,
      r.at as last_received_at, o.at is not null as answered, w.n as unanswered, w.since as waiting_since, h.n as held, g.rating,
      root.person_id as root_person_id, alone.person_id as only_person_id, coalesce(s.reply_closes, false) as reply_closes,
      c.assignee_id is not null or exists (select from reply y where y.org_id = c.org_id and y.conversation_id = c.id) as handled, f.texts, f.expired
    from locked c
    left join lateral (select at, direction, text from inbox_item where org_id = c.org_id and conversation_id = c.id and deleted_at is null order by at desc, id desc limit 1) l on true
    left join lateral (select at, direction from inbox_item where org_id = c.org_id and conversation_id = c.id order by at desc, id desc limit 1) d on l.at is null
    left join lateral (select at from inbox_item where org_id = c.org_id and conversation_id = c.id and direction = 'received' and deleted_at is null order by at desc limit 1) r on true
    left join lateral (select at from inbox_item where org_id = c.org_id and conversation_id = c.id and direction = 'sent' and deleted_at is null order by at desc limit 1) o on true
    left join lateral (
      select count(*)::int as n, min(at) as since from inbox_item
      where org_id = c.org_id and conversation_id = c.id and direction = 'received' and deleted_at is null and not hidden and at > coalesce(o.at, '-infinity')
    ) w on true
    left join lateral (select count(*)::int as n from inbox_item where org_id = c.org_id and conversation_id = c.id and held) h on true
    left join lateral (select rating from inbox_item where org_id = c.org_id and conversation_id = c.id and rating is not null and deleted_at is null order by at desc, id desc limit 1) g on true
    left join inbox_item root on root.org_id = c.org_id and root.channel_id = ${channelId} and root.remote_id = c.thread_key and root.conversation_id = c.id and c.kind <> 'message'
    left join lateral (
      select (array_agg(distinct person_id))[1] as person_id from inbox_item
      where org_id = c.org_id and conversation_id = c.id and person_id is not null having count(distinct person_id) = 1
    ) alone on (root.id is null or root.direction = 'sent') and c.kind <> 'message'
    left join lateral (
      select array_agg(left(t.text, ${JUDGED_LENGTH}) order by t.at desc, t.id desc) filter (where t.text is not null) as texts, bool_or(t.expired) as expired
      from (
        select id, at, text, expired from inbox_item
        where org_id = c.org_id and conversation_id = c.id and direction = 'received' and deleted_at is null order by at desc, id desc limit ${JUDGED_ITEMS}
      ) t
    ) f on true
    left join inbox_setting s on s.org_id = c.org_id and s.project_id = c.project_id`.execute(tx)
  return rows
}
