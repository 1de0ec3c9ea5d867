import { sql, type RawBuilder } from 'kysely'
import { paginationOf } from '#contract/common.ts'
import type { Discussion, listDiscussions as contract } from '#contract/discussions.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { isProjectAdmin } from '../access/projectAdmin.ts'
import { pictureAddress } from '../people/person.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { discussionVisible, shownPost } from './access.ts'

type Person = { userId: string; name: string; pictureId: string | null }
type Row = {
  id: string
  title: string
  about: Discussion['about']
  author: Person
  members: Person[]
  messages: number
  created_at: Date
  last_at: Date
  resolved_at: Date | null
  resolved_by: Person | null
}

/** Discussions that the caller sees, the latest first. Throws PLAN_LIMIT. */
export async function listDiscussions(
  c: ProjectContext,
  { postId, conversationId, campaignId, state, mine, page, limit }: QueryOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  mustHaveGate(c, 'discussion')
  const named = (column: string, id: string | undefined) =>
    id === undefined ? sql`` : sql` and ${sql.ref(column)} = ${id}`
  // one on a draft is about the posts made from it too
  const ofPost =
    postId === undefined
      ? sql``
      : sql` and (d.post_id = ${postId} or d.post_id = (select b.composed_in from post p join batch b on b.org_id = p.org_id and b.id = p.batch_id where p.org_id = d.org_id and p.id = ${postId}))`
  const takesPart = mine
    ? sql` and exists (select from discussion_member dm where dm.org_id = d.org_id and dm.discussion_id = d.id and dm.person_id = ${c.caller.personId})`
    : sql``
  const wanted = sql`d.org_id = ${c.org.orgId} and d.project_id = ${c.project.projectId}
    and (d.resolved_at is null) = ${state === 'open'}${named('d.conversation_id', conversationId)}${named('d.campaign_id', campaignId)}${ofPost}${takesPart} and ${discussionVisible(c)}`
  const [shown, { rows: counted }] = await Promise.all([
    show(c, sql`${wanted} order by d.last_at desc, d.id desc limit ${limit} offset ${(page - 1) * limit}`),
    sql<{ n: number }>`select count(*)::int as n from discussion d where ${wanted}`.execute(c.tx),
  ])
  return { discussions: shown, pagination: paginationOf({ page, limit }, counted[0]?.n ?? 0) }
}

/** Throws PLAN_LIMIT, NOT_FOUND. */
export async function getDiscussion(c: ProjectContext, discussionId: string): Promise<Discussion> {
  mustHaveGate(c, 'discussion')
  const [found] = await show(
    c,
    sql`d.org_id = ${c.org.orgId} and d.project_id = ${c.project.projectId} and d.id = ${discussionId} and ${discussionVisible(c)}`,
  )
  if (!found) throw fail('NOT_FOUND')
  return found
}

const personOf = (table: string) =>
  sql`json_build_object('userId', ${sql.ref(`${table}.id`)}, 'name', trim(${sql.ref(`${table}.first_name`)} || ' ' || ${sql.ref(`${table}.last_name`)}), 'pictureId', ${sql.ref(`${table}.picture_id`)})`

async function show(c: ProjectContext, which: RawBuilder<unknown>): Promise<Discussion[]> {
  const { rows } = await sql<Row>`
    select d.id, d.title, d.created_at, d.last_at, d.resolved_at, ${personOf('a')} as author,
      case when s.id is not null then ${personOf('s')} end as resolved_by,
      (select count(*)::int from note n where n.org_id = d.org_id and n.discussion_id = d.id) as messages,
      (select coalesce(json_agg(${personOf('w')} order by lower(w.first_name), w.id), '[]')
        from discussion_member dm join person w on w.id = dm.person_id join member m on m.org_id = dm.org_id and m.person_id = dm.person_id and m.removed_at is null
        where dm.org_id = d.org_id and dm.discussion_id = d.id
          and (m.is_admin or exists (select from project_member pm where pm.org_id = d.org_id and pm.project_id = d.project_id and pm.person_id = dm.person_id))) as members,
      case
        when d.post_id is not null then (select json_build_object('kind', 'post', 'id', shown.id, 'name', shown.excerpt) from (${shownPost(c)}) shown)
        when d.conversation_id is not null then (select json_build_object('kind', 'conversation', 'id', c.id, 'name', c.preview) from conversation c where c.org_id = d.org_id and c.id = d.conversation_id)
        when d.campaign_id is not null then (select json_build_object('kind', 'campaign', 'id', k.id, 'name', k.name) from campaign k where k.org_id = d.org_id and k.id = d.campaign_id)
      end as about
    from discussion d join person a on a.id = d.author_id left join person s on s.id = d.resolved_by
    where ${which}`.execute(c.tx)
  const isAdmin = rows.length > 0 && (await isProjectAdmin(c))
  return rows.map((row) => ({
    discussionId: row.id,
    title: row.title,
    about: row.about,
    author: present(row.author),
    members: row.members.map(present),
    messages: row.messages,
    createdAt: row.created_at.toISOString(),
    lastAt: row.last_at.toISOString(),
    resolved:
      row.resolved_at && row.resolved_by
        ? { at: row.resolved_at.toISOString(), by: { userId: row.resolved_by.userId, name: row.resolved_by.name } }
        : null,
    mayDelete: isAdmin || row.author.userId === c.caller.personId,
  }))
}

const present = ({ pictureId, ...person }: Person) => ({ ...person, profileUrl: pictureAddress(pictureId) })
