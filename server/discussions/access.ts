import { sql, type RawBuilder, type Selectable } from 'kysely'
import { allows } from '#contract/permissions.ts'
import type { Database } from '../db/schema.ts'
import { memberMay } from '../access/memberMay.ts'
import { visibleTo } from '../access/visiblePosts.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { findConversation, reachable, readersOf, type ConversationRecord } from '../inbox/access.ts'
import { findPost, type PostRecord } from '../posts/access.ts'
import { postReaders } from '../access/postReaders.ts'

/*
 * A discussion about something is seen only by people who see that; any other one by everyone who may read notes. A draft
 * lives on in the posts made from it: who sees one of them sees the discussion.
 */

export type DiscussionRow = Selectable<Database['discussion']>

/** The posts `p` that a discussion `d` of a query is about: its own, and those made from that draft. */
const postsOf = sql`p.org_id = d.org_id and p.project_id = d.project_id and (p.id = d.post_id
  or p.batch_id in (select b.id from batch b where b.org_id = d.org_id and b.composed_in = d.post_id))`

/** Which of the posts that a discussion `d` of a query is about the caller is shown: its own before those made from it. */
export const shownPost = (c: ProjectContext): RawBuilder<unknown> =>
  sql`select p.id, p.excerpt from post p where ${postsOf} and ${visibleTo(c)} order by p.id <> d.post_id, p.id limit 1`

/**
 * The IDs by which an event of a deleted discussion names what it was about, so that those who saw it are told: its posts,
 * its conversation or its campaign; the project if it was about nothing.
 */
export async function subjectIds(c: ProjectContext, row: DiscussionRow): Promise<string[]> {
  if (row.post_id === null) return [row.conversation_id ?? row.campaign_id ?? row.project_id]
  const { rows } = await sql<{ id: string }>`
    select p.id from discussion d join post p on ${postsOf} where d.org_id = ${c.org.orgId} and d.id = ${row.id}`.execute(
    c.tx,
  )
  return rows.map(({ id }) => id)
}

/** Whether the caller sees the discussion `d` of a query. */
export const discussionVisible = (c: ProjectContext): RawBuilder<boolean> => sql`(
  (d.post_id is null or ${allows(c.project.permissions, 'post', 'view')}::boolean and exists (select from post p where ${postsOf} and ${visibleTo(c)}))
  and (d.conversation_id is null or exists (select from conversation c where c.org_id = d.org_id and c.id = d.conversation_id and ${reachable(c)}))
  and (d.campaign_id is null or ${allows(c.project.permissions, 'campaign', 'view')}::boolean))`

/** The discussion. Of another project, or one that the caller doesn't see: NOT_FOUND. */
export const findDiscussion = (c: ProjectContext, discussionId: string): Promise<DiscussionRow> =>
  read(c, discussionId, sql``)

/** The same, locked for a change. */
export const lockDiscussion = (c: ProjectContext, discussionId: string): Promise<DiscussionRow> =>
  read(c, discussionId, sql`for update`)

async function read(c: ProjectContext, discussionId: string, lock: RawBuilder<unknown>): Promise<DiscussionRow> {
  const { rows } = await sql<DiscussionRow>`
    select d.* from discussion d
    where d.org_id = ${c.org.orgId} and d.project_id = ${c.project.projectId} and d.id = ${discussionId} and ${discussionVisible(c)}
    ${lock}`.execute(c.tx)
  const [row] = rows
  if (!row) throw fail('NOT_FOUND')
  return row
}

export type Named = {
  postId?: string | undefined
  conversationId?: string | undefined
  campaignId?: string | undefined
}
/** What a discussion is about, as far as it says who sees it. */
export type DiscussionSubject =
  | { kind: 'post'; post: PostRecord }
  | { kind: 'conversation'; conversation: ConversationRecord }
  | { kind: 'campaign'; campaignId: string }
  | null

/** What the caller names, if they see it. Throws NOT_FOUND. */
export async function loadSubject(
  c: ProjectContext,
  { postId, conversationId, campaignId }: Named,
): Promise<DiscussionSubject> {
  if (postId !== undefined) {
    if (!allows(c.project.permissions, 'post', 'view')) throw fail('NOT_FOUND')
    return { kind: 'post', post: await findPost(c, postId) }
  }
  if (conversationId !== undefined)
    return { kind: 'conversation', conversation: await findConversation(c, conversationId) }
  if (campaignId === undefined) return null
  const campaign = await c.tx
    .selectFrom('campaign')
    .select('id')
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('id', '=', campaignId)
    .executeTakeFirst()
  if (!campaign || !allows(c.project.permissions, 'campaign', 'view')) throw fail('NOT_FOUND')
  return { kind: 'campaign', campaignId: campaign.id }
}

/** What a discussion that the caller sees is about, as they see it. */
export async function subjectOf(c: ProjectContext, row: DiscussionRow): Promise<DiscussionSubject> {
  if (row.post_id === null)
    return await loadSubject(c, {
      conversationId: row.conversation_id ?? undefined,
      campaignId: row.campaign_id ?? undefined,
    })
  const { rows } = await sql<{ id: string }>`
    select shown.id from discussion d, lateral (${shownPost(c)}) shown where d.org_id = ${c.org.orgId} and d.id = ${row.id}`.execute(
    c.tx,
  )
  return await loadSubject(c, { postId: rows[0]?.id ?? row.post_id })
}

/** Those of the people who can read a discussion about this. */
export async function discussionReaders(
  c: ProjectContext,
  about: DiscussionSubject,
  people: readonly string[],
): Promise<Set<string>> {
  if (people.length === 0) return new Set()
  if (about?.kind === 'post') return await postReaders(c, about.post, people)
  if (about?.kind === 'conversation')
    return await readersOf(c, about.conversation, people, { resource: 'note', action: 'view' })
  const seesCampaign = about ? sql` and ${memberMay('campaign', 'view')}` : sql``
  const { rows } = await sql<{ person_id: string }>`
    select m.person_id from member m
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${c.project.projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where m.org_id = ${c.org.orgId} and m.removed_at is null and m.person_id = any(${[...people]}::uuid[])
      and ${memberMay('note', 'view')}${seesCampaign}`.execute(c.tx)
  return new Set(rows.map((row) => row.person_id))
}
