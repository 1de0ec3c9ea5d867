import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'

/** Something that people must know of. One notice per matter and person: a matter that comes again is the same one, unread again. */
export type Matter = {
  orgId: string
  projectId: string
  /** Names the matter, such as `channel:<id>:reconnect`. */
  matter: string
  kind: string
  title: string
  body: string
  /** A path of the app that leads to it. */
  link: string | null
  people: 'project-editors' | readonly string[]
  /** What it speaks of: a role that is bound to channels hears of it when it reaches one of them. Null for the project as a whole. */
  channelIds: readonly string[] | null
}

export type Notify = (tx: Tx, matter: Matter, now: Date) => Promise<void>

/** Raises a notice in the transaction of what it speaks of, and tells open screens. Works in a tenant and as the system role. */
export const raiseNotice: Notify = async (tx, matter, now) => {
  const { orgId, projectId } = matter
  const channelIds = matter.channelIds && [...matter.channelIds]
  const chosen =
    matter.people === 'project-editors'
      ? sql`
        select m.person_id from member m
        where m.org_id = ${orgId} and m.removed_at is null and (m.is_admin or exists (
          select from project_member pm join role r on r.org_id = pm.org_id and r.id = pm.role_id
          where pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id and r.kind in ('admin', 'editor')
            and (pm.channel_ids is null or ${channelIds}::uuid[] is null or pm.channel_ids && ${channelIds}::uuid[])
        ))`
      : sql`select m.person_id from member m where m.org_id = ${orgId} and m.removed_at is null and m.person_id = any(${[...matter.people]}::uuid[])`
  await sql`
    with raised as (
      insert into notice as n (org_id, id, person_id, project_id, matter, kind, title, body, link, created_at, updated_at)
      select ${orgId}, uuidv7(), c.person_id, ${projectId}, ${matter.matter}, ${matter.kind}, ${matter.title}, ${matter.body}, ${matter.link}, ${now}, ${now}
      from (${chosen}) c order by c.person_id
      on conflict (org_id, person_id, matter) do update set
        title = excluded.title, body = excluded.body, link = excluded.link, updated_at = excluded.updated_at, count = n.count + 1, read_at = null
      returning n.org_id, n.project_id, n.person_id, n.id
    )
    insert into event (at, org_id, project_id, person_id, kind, ref)
    select ${now}, r.org_id, r.project_id, r.person_id, 'notice', r.id::text from raised r`.execute(tx)
}
