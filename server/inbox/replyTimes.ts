import { sql, type RawBuilder } from 'kysely'
import type { Range } from '#contract/dashboard.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { inboxReplyTimes as contract } from '#contract/inbox/replyTimes.ts'
import type { BusinessHours } from '#contract/inbox/settings.ts'
import { kindsFor, type InboxScope } from './access.ts'
import { businessClock } from './businessHours.ts'
import { readSettings } from './settings.ts'

/*
 * How soon people are answered. Nothing is stored for it: the times follow from the items, so that what arrives late, is
 * deleted or is hidden counts as it should. Business hours are those of today, also for the past.
 */

const MINUTE = 60_000

/** A reply: when it was sent, and when the first item was written that it answered. Milliseconds. */
export type Answer = { conversationId: string; since: number; at: number }

/** The median and slowest reply of the range and of the days before it, on the channels and kinds that the caller sees. */
export async function readReplyTimes(c: InboxScope, range: Range): Promise<ReplyOf<typeof contract>> {
  const { businessHours } = await readSettings(c)
  const { zone } = c.project
  const [now, before] = await readAnswers(c, range)
  const { slowest, ...figures } = figuresOf(now, businessHours, zone)
  const { replies, medianMinutes } = figuresOf(before, businessHours, zone)
  return {
    range,
    ...figures,
    slowestMinutes: slowest?.minutes ?? null,
    slowestId: slowest?.conversationId ?? null,
    before: { replies, medianMinutes },
    businessHours,
    timezone: zone,
    asOf: c.now.toISOString(),
  }
}

/** Figures of these answers. Of an even number, the median is the slower one of the two in the middle. */
export function figuresOf(answers: readonly Answer[], hours: BusinessHours, zone: string) {
  const replies = answers.length
  if (replies === 0 || hours.every((day) => day === null)) return { replies, medianMinutes: null, slowest: null }
  let [first, last] = [Infinity, 0]
  for (const { since, at } of answers) [first, last] = [Math.min(first, since), Math.max(last, at)]
  const clock = businessClock(first, last, hours, zone)
  const times = answers
    .map(({ conversationId, since, at }) => ({ conversationId, minutes: (clock(at) - clock(since)) / MINUTE }))
    .toSorted((a, b) => a.minutes - b.minutes)
  return {
    replies,
    medianMinutes: times[Math.floor(replies / 2)]?.minutes ?? null,
    slowest: times.at(-1) ?? null,
  }
}

/** What answered someone in the range, and in the days before it. */
async function readAnswers(c: InboxScope, { from, to, compareFrom }: Range): Promise<[Answer[], Answer[]]> {
  if (kindsFor(c.project, 'view').length === 0) return [[], []]
  const { rows } = await answersQuery(c, { from: compareFrom, to, split: from }).execute(c.tx)
  const answers: [Answer[], Answer[]] = [[], []]
  for (const { starts, ids, since, at } of rows)
    for (const [place, conversationId] of ids.entries()) {
      const answer = { conversationId, since: since[place] ?? 0, at: at[place] ?? 0 }
      answers[answer.at >= starts ? 0 : 1].push(answer)
    }
  return answers
}

type Answers = { starts: number; ids: string[]; since: number[]; at: number[] }

/**
 * The statement: one row of parallel lists, because a row for each answer takes several times as long to read. It costs what
 * was sent on these days: each item of ours looks for the one before it in its conversation, and for the first that was
 * received in between. That needs `case`: with `coalesce`, which isn't leakproof, the policy of tenants keeps PostgreSQL from
 * asking the index for it.
 */
export function answersQuery(
  c: InboxScope,
  { from, to, split }: { from: string; to: string; split: string },
): RawBuilder<Answers> {
  const kinds = kindsFor(c.project, 'view')
  const scope = c.project.channelIds && [...c.project.channelIds]
  const start = (day: RawBuilder<unknown>) => sql`day_begins(${day}, ${c.project.zone})`
  const millis = (instant: string) => sql`(extract(epoch from ${sql.ref(instant)}) * 1000)::bigint`
  return sql<Answers>`
    with answer as (
      select s.conversation_id, s.at, received.since
      from inbox_item s
      left join lateral (
        select p.at from inbox_item p
        where p.org_id = s.org_id and p.conversation_id = s.conversation_id and p.at < s.at and p.direction = 'sent' and p.deleted_at is null
        order by p.at desc limit 1
      ) ours on true
      cross join lateral (
        select min(r.at) as since from inbox_item r
        where r.org_id = s.org_id and r.conversation_id = s.conversation_id and r.at < s.at and r.at > case when ours.at is null then '-infinity' else ours.at end
          and r.direction = 'received' and r.deleted_at is null and not r.hidden
      ) received
      where s.org_id = ${c.org.orgId} and s.direction = 'sent' and s.deleted_at is null and received.since is not null
        and s.channel_id in (select id from channel where org_id = ${c.org.orgId} and project_id = ${c.project.projectId} and deleted_at is null${scope ? sql` and id = any(${scope}::uuid[])` : sql``})
        and s.at >= ${start(sql`${from}::date`)} and s.at < ${start(sql`${to}::date + 1`)}
        and case s.type when 'DIRECT_MESSAGE' then ${kinds.includes('message')}::boolean else ${kinds.includes('comment')}::boolean end
    )
    select ${sql`(extract(epoch from ${start(sql`${split}::date`)}) * 1000)::float8`} as starts, coalesce(json_agg(conversation_id), '[]') as ids,
      coalesce(json_agg(${millis('since')}), '[]') as since, coalesce(json_agg(${millis('at')}), '[]') as at
    from answer`
}
