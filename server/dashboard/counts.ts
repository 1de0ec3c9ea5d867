import { sql, type RawBuilder } from 'kysely'
import { standingStates, type Range } from '#contract/dashboard.ts'
import { postStates } from '#contract/postStates.ts'
import type { Caller, CallerProject } from '../http/route.ts'
import { andVisible } from '../access/visiblePosts.ts'
import { addDays } from '../rangeDays.ts'

/*
 * The dashboard's post counts, as JSON that PostgreSQL wrote from `post_count`: one statement each. They're here for
 * the verbs and for measuring their cost (bench/dashboard.ts).
 */

export type Asker = {
  org: { orgId: string }
  project: Pick<CallerProject, 'projectId' | 'channelIds' | 'permissions'>
  caller: Pick<Caller, 'personId'>
  now: Date
}
export type JsonRow = { json: string }

const shown = postStates.filter((state) => state !== 'DELETED')
/** What is planned for a day: it will be published on its own, or once someone approves it. */
const planned = ['SCHEDULED', 'QUEUED', 'PROCESSING', 'NEEDS_APPROVAL', 'APPROVED']

// rows are called p, the name that visibleTo uses for posts
const lines = (c: Asker): RawBuilder<unknown> =>
  sql`post_count p where p.org_id = ${c.org.orgId} and p.project_id = ${c.project.projectId}${andVisible(c)}`
const within = (from: string, to: string): RawBuilder<boolean> => sql`p.day between ${from}::date and ${to}::date`

/** What is compared of the days that are over: the range ends today. */
const overDays = ({ from, to, compareFrom, compareTo }: Range): RawBuilder<unknown> =>
  from === to
    ? sql`null::json`
    : sql`json_build_object('count', coalesce(sum(p.n) filter (where ${within(from, addDays(to, -1))}), 0), 'before', coalesce(sum(p.n) filter (where ${within(compareFrom, addDays(compareTo, -1))}), 0))`

/** The reply of dashboardPostStatus. */
export function postStatusJson(c: Asker, range: Range): RawBuilder<JsonRow> {
  return sql<JsonRow>`
    select json_build_object('range', ${JSON.stringify(range)}::json, 'asOf', ${c.now.toISOString()}::text,
      'counts', (select coalesce(json_agg(r), '[]') from (
        select p.state as status, coalesce(sum(p.n) filter (where ${within(range.from, range.to)}), 0) as count, coalesce(sum(p.n) filter (where ${within(range.compareFrom, range.compareTo)}), 0) as before, ${overDays(range)} as over
        from ${lines(c)} and p.state = any(${shown}::text[]) and ${within(range.compareFrom, range.to)} group by p.state having sum(abs(p.n)) > 0 order by p.state) r
        where r.count <> 0 or r.before <> 0),
      'standing', (select coalesce(json_agg(r), '[]') from (
        select p.state as status, sum(p.n) as count from ${lines(c)} and p.state = any(${[...standingStates]}::text[]) group by p.state having sum(p.n) <> 0 order by p.state) r))::text as json`
}

/** The reply of dashboardPostChart. */
export function postChartJson(c: Asker, range: Range): RawBuilder<JsonRow> {
  return sql<JsonRow>`
    with counted as materialized (
      select p.day, p.channel_id, case p.state when 'PUBLISHED' then 'published' when 'FAILED' then 'failed' else 'scheduled' end as what, sum(p.n) as n
      from ${lines(c)} and p.state = any(${['PUBLISHED', 'FAILED', ...planned]}::text[]) and ${within(range.compareFrom, range.to)} group by 1, 2, 3
    )
    select json_build_object('range', ${JSON.stringify(range)}::json, 'asOf', ${c.now.toISOString()}::text,
      'days', (select json_agg(r order by r.date) from (
        select d::date as date, coalesce(sum(p.n) filter (where p.what = 'published'), 0) as published, coalesce(sum(p.n) filter (where p.what = 'failed'), 0) as failed, coalesce(sum(p.n) filter (where p.what = 'scheduled'), 0) as scheduled
        from generate_series(${range.from}::date, ${range.to}::date, interval '1 day') d left join counted p on p.day = d::date group by d) r),
      'platforms', (select coalesce(json_agg(r order by r.published desc, r.before desc, r."platformName"), '[]') from (
        select ch.platform as "platformName", coalesce(sum(p.n) filter (where ${within(range.from, range.to)}), 0) as published, coalesce(sum(p.n) filter (where ${within(range.compareFrom, range.compareTo)}), 0) as before, ${overDays(range)} as over
        from counted p join channel ch on ch.org_id = ${c.org.orgId} and ch.id = p.channel_id where p.what = 'published' group by ch.platform) r
        where r.published <> 0 or r.before <> 0))::text as json`
}
