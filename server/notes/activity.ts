import type { ProjectContext } from '../http/route.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { postActivity } from '#contract/postNotes.ts'
import { detailText } from '#contract/timeline.ts'
import { findPost } from '../posts/access.ts'

type Activity = z.output<(typeof postActivity)['reply']>['activity']
type Row = {
  at: Date
  person_id: string | null
  name: string | null
  action: string
  facts: Record<string, unknown>
  detail: unknown
}

/**
 * A post's activity, newest last. Its own history (server/publishing/timeline.ts) has order and text; an audit entry of the
 * same person and instant adds its facts to that act's last line, and one without a line becomes a line of its own. Ids
 * in the entries' facts are left out, because people read this.
 */
export async function activityOf(c: ProjectContext, postId: string): Promise<Activity> {
  await findPost(c, postId)
  const { rows } = await sql<Row>`
    with own as (
      select e.at, e.id, e.person_id, e.kind as action, jsonb_strip_nulls(jsonb_build_object('dueAt', e.due_at)) as facts, e.detail,
        row_number() over (partition by e.at, e.person_id order by e.id desc) as from_last
      from post_event e where e.org_id = ${c.org.orgId} and e.post_id = ${postId}
    ),
    written as (
      select a.at, a.id, a.person_id, a.action, a.detail as facts from audit a
      where a.org_id = ${c.org.orgId} and a.entity = 'post' and a.entity_id = ${postId}
    ),
    told as (
      select o.at, o.id, o.person_id, o.action, coalesce(w.facts, '{}') || o.facts as facts, o.detail
      from own o left join lateral (select w.facts from written w where w.at = o.at and w.person_id = o.person_id order by w.id limit 1) w on o.from_last = 1
      union all
      select w.at, w.id, w.person_id, w.action, w.facts, null from written w
      where not exists (select from own o where o.at = w.at and o.person_id is not distinct from w.person_id)
    )
    select t.at, t.person_id, trim(p.first_name || ' ' || p.last_name) as name, t.action, t.facts, t.detail
    from told t left join person p on p.id = t.person_id order by t.at, t.id`.execute(c.tx)
  return rows.map(({ at, person_id, name, action, facts, detail }) => ({
    at: at.toISOString(),
    by: person_id === null ? null : { userId: person_id, name: name ?? '' },
    action,
    detail: {
      ...Object.fromEntries(Object.entries(facts).filter(([key]) => !/Ids?$/.test(key))),
      ...(detail !== null && { note: detailText(detail) }),
    },
  }))
}
