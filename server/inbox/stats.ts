import { sql } from 'kysely'
import type { dashboardInboxStats as contract, Range } from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { kindsFor, reachable, type InboxScope } from './access.ts'

type Stats = Pick<ReplyOf<typeof contract>, 'received' | 'answered' | 'sentiment' | 'notJudged' | 'apart'>

/**
 * What the caller's channels received in these days of the project's zone, how much of that was followed by an answer of
 * ours, and what people felt: a conversation counts once, by its sentiment of today. As in the insights, it isn't added up of
 * `apart`, the platforms whose terms forbid sums.
 */
export async function readStats(
  c: InboxScope,
  { from, to }: Pick<Range, 'from' | 'to'>,
  apart: readonly PlatformKey[],
): Promise<Stats> {
  const kinds = kindsFor(c.project, 'view')
  const scope = c.project.channelIds && [...c.project.channelIds]
  const within = (column: 'i.at' | 'c.last_received_at') =>
    sql`${sql.ref(column)} >= day_begins(${from}::date, ${c.project.zone}) and ${sql.ref(column)} < day_begins(${to}::date + 1, ${c.project.zone})`
  const ofType = sql`case i.type when 'DIRECT_MESSAGE' then ${kinds.includes('message')}::boolean else ${kinds.includes('comment')}::boolean end`
  const { rows } = await sql<Stats>`
    with reached as materialized (
      select id, platform = any(${[...apart]}::text[]) as is_apart, platform from channel where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} and deleted_at is null${scope ? sql` and id = any(${scope}::uuid[])` : sql``}
    ), mine as (
      select i.conversation_id, i.at from inbox_item i
      where i.org_id = ${c.org.orgId} and i.channel_id in (select id from reached) and i.direction = 'received' and i.deleted_at is null and ${within('i.at')}
        and ${ofType}
    ), open as materialized (
      select c.id, c.waiting_since from conversation c where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.waiting_since is not null and ${reachable(c)}
    ), felt as (
      select c.sentiment, count(*)::int as n from conversation c
      where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.channel_id in (select id from reached where not is_apart) and ${within('c.last_received_at')} and ${reachable(c)}
      group by 1
    ), counted as (
      select count(*)::int as received, count(*) filter (where o.id is not null and m.at >= o.waiting_since)::int as waiting
      from mine m left join open o on o.id = m.conversation_id
    ), passed as (
      -- hidden ones wait for no answer, and aren't answered for that
      select count(*)::int as n from inbox_item i left join open o on o.id = i.conversation_id
      where i.org_id = ${c.org.orgId} and i.channel_id in (select id from reached) and i.hidden and i.direction = 'received' and i.deleted_at is null and ${within('i.at')} and ${ofType}
        and (o.id is null or i.at < o.waiting_since)
        and not exists (select from inbox_item s where s.org_id = i.org_id and s.conversation_id = i.conversation_id and s.direction = 'sent' and s.deleted_at is null and s.at >= i.at)
    )
    select received, received - waiting - (select n from passed) as answered,
      (select json_build_object('positive', coalesce(sum(n) filter (where sentiment = 'positive'), 0), 'neutral', coalesce(sum(n) filter (where sentiment = 'neutral'), 0),
        'negative', coalesce(sum(n) filter (where sentiment = 'negative'), 0)) from felt) as sentiment,
      coalesce((select n from felt where sentiment is null), 0) as "notJudged",
      array(select distinct platform from reached where is_apart order by platform) as apart
    from counted`.execute(c.tx)
  const none = {
    received: 0,
    answered: 0,
    sentiment: { positive: 0, neutral: 0, negative: 0 },
    notJudged: 0,
    apart: [],
  }
  return rows[0] ?? none
}
