import type { TimelineDetail } from '#contract/timeline.ts'
import { sql, type RawBuilder } from 'kysely'
import type pg from 'pg'
import { instantOf, parseWallTime, secondsOf } from '#contract/time.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { overrule } from '../delivery/overrule.ts'
import type { Notify } from '../notifications/create.ts'

/*
 * A post is planned for a local time in a zone, a queued one by its slot; its instant follows from the zone's rules.
 * Governments change those, and Node ships the change in an update: then the local time stays, the instant moves, and
 * people are notified. That applies to every post with such a time: scheduled, waiting for approval or a new
 * decision, or planned as a draft.
 */

const PAGE = 2000

type Planned = {
  org_id: string
  project_id: string
  id: string
  channel_id: string | null
  wall_time: string
  zone: string
  due_at: Date
  version: number
}
type Moved = Planned & { instant: Date }

/**
 * Recomputes the instants of upcoming posts when `version` (process.versions.tz) is newer than the one they were
 * computed with; a node with older data changes nothing. Returns how many moved. Idempotent: nodes that start
 * together may both do it, and what a person changes in the meantime is kept.
 */
export async function followZoneData(pool: pg.Pool, version: string, now: Date, notify: Notify): Promise<number> {
  const known = await asSystem(pool, (tx) => tx.selectFrom('instance').select('zone_data').executeTakeFirst())
  // 2026a, 2026b: they sort in the order of their release
  if (known === undefined || known.zone_data >= version) return 0
  let moved = 0
  // a database that has no version yet is compared too
  for (let after: Planned | undefined; ;) {
    const page = await asSystem(pool, async (tx) => {
      const posts = await comingPosts(tx, now, after)
      const changed = await move(
        tx,
        posts.flatMap((post) => movedPost(post)),
        now,
        version,
      )
      await tell(tx, changed, now, version, notify)
      moved += changed.length
      return posts
    })
    after = page.at(-1)
    if (page.length < PAGE) break
  }
  await asSystem(pool, (tx) =>
    tx.updateTable('instance').set({ zone_data: version }).where('zone_data', '=', known.zone_data).execute(),
  )
  return moved
}

// each has an index of its own, as in db/migrations/0007-posts.sql
const HANDED_OVER = sql`state in ('SCHEDULED', 'QUEUED')`
const PLANNED = sql`state in ('DRAFTS', 'NEEDS_APPROVAL', 'APPROVED', 'REJECTED')`

const pageOf = (states: RawBuilder<unknown>, now: Date, after: Planned | undefined) => sql`
  select org_id, project_id, id, channel_id, wall_time, zone, due_at, version from post
  where ${states} and wall_time is not null and due_at > ${now}
    and (due_at, id) > (${after?.due_at ?? now}::timestamptz, ${after?.id ?? '00000000-0000-0000-0000-000000000000'}::uuid)
  order by due_at, id limit ${PAGE}`

async function comingPosts(tx: Tx, now: Date, after: Planned | undefined): Promise<Planned[]> {
  const { rows } = await sql<Planned>`
    select * from ((${pageOf(HANDED_OVER, now, after)}) union all (${pageOf(PLANNED, now, after)})) p order by due_at, id limit ${PAGE}`.execute(
    tx,
  )
  return rows
}

function movedPost(post: Planned): Moved[] {
  const [date = '', time = ''] = post.wall_time.split('T')
  const wall = parseWallTime(date, time)
  if (!wall) return []
  const instant = new Date(instantOf(wall, post.zone).getTime() + secondsOf(post.due_at))
  return instant.getTime() === post.due_at.getTime() ? [] : [{ ...post, instant }]
}

/** Returns those that moved; one that was changed since it was read already has its new instant. */
async function move(tx: Tx, posts: readonly Moved[], now: Date, version: string): Promise<Moved[]> {
  if (posts.length === 0) return []
  const detail: TimelineDetail = { code: 'clocks-changed', version }
  const { rows } = await sql<{ id: string }>`
    with g as (
      select * from unnest(${posts.map((post) => post.org_id)}::uuid[], ${posts.map((post) => post.id)}::uuid[], ${posts.map((post) => post.instant)}::timestamptz[], ${posts.map((post) => post.version)}::int[], ${posts.map((post) => post.due_at)}::timestamptz[]) as g(org_id, id, instant, version, was)
    ),
    moved as (
      update post p
      set due_at = g.instant, shown_at = g.instant,
        -- a draft that is being edited isn't disturbed: what the composer holds is the time on the wall
        version = case when p.state in ('QUEUED', 'DRAFTS') then p.version else p.version + 1 end, updated_at = ${now},
        schedule = case when p.schedule #>> '{details,utc}' is null then p.schedule
          else jsonb_set(p.schedule, '{details,utc}', to_jsonb(to_char(g.instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) end
      from g where p.org_id = g.org_id and p.id = g.id and p.version = g.version and p.due_at = g.was and (${HANDED_OVER} or ${PLANNED})
      returning p.org_id, p.project_id, p.id, p.channel_id, p.due_at, old.due_at as was
    ),
    delivered as (
      ${overrule(
        sql`step_at = d.step_at + (m.due_at - m.was), wanted_at = m.due_at`,
        sql`from moved m where d.org_id = m.org_id and d.subject_id = m.id and d.subject = 'post'
      returning d.org_id, d.channel_id, d.step_at`,
      )}
    ),
    told as (insert into post_event (org_id, post_id, id, kind, at, due_at, detail) select m.org_id, m.id, uuidv7(), 'rescheduled', ${now}, m.due_at, ${JSON.stringify(detail)}::jsonb from moved m),
    shown as (insert into event (at, org_id, project_id, kind, ref) select ${now}, m.org_id, m.project_id, 'post', m.id::text from moved m),
    woken as (
      update lane l set wake_at = least(l.wake_at, m.step_at)
      from (select org_id, channel_id, min(step_at) as step_at from delivered where step_at is not null group by org_id, channel_id) m
      where l.org_id = m.org_id and l.channel_id = m.channel_id
    )
    select id from moved`.execute(tx)
  const moved = new Set(rows.map((row) => row.id))
  return posts.filter((post) => moved.has(post.id))
}

async function tell(tx: Tx, posts: readonly Moved[], now: Date, version: string, notify: Notify): Promise<void> {
  const projects = new Map(posts.map((post) => [post.project_id, post]))
  for (const [projectId, { org_id: orgId, zone }] of projects) {
    const own = posts.filter((post) => post.project_id === projectId)
    const reached = own.flatMap(({ channel_id: channelId }) => channelId ?? [])
    await notify(
      tx,
      {
        orgId,
        projectId,
        dedupeKey: `zones:${version}`,
        kind: 'zones-changed',
        params: { count: own.length, zone },
        people: 'project-editors',
        channelIds: reached.length > 0 ? reached : null,
      },
      now,
    )
  }
}
