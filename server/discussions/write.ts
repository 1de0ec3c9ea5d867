import { randomUUIDv7 } from 'node:crypto'
import { DISCUSSION_MEMBERS_MOST, type createDiscussion as contract } from '#contract/discussions.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'
import { isProjectAdmin } from '../access/projectAdmin.ts'
import { createNotification } from '../notifications/create.ts'
import { dedupeKeys } from '../notifications/dedupeKeys.ts'
import { withdrawNotifications } from '../notifications/dismiss.ts'
import { nameOf } from '../people/names.ts'
import { mustHaveGate } from '../plans/gates.ts'
import {
  discussionReaders,
  findDiscussion,
  loadSubject,
  lockDiscussion,
  subjectIds,
  subjectOf,
  type DiscussionRow,
  type DiscussionSubject,
} from './access.ts'
import { joinDiscussion, membersOf } from './members.ts'

/** Writes a note into a discussion, as the notes do. */
export type Say = (
  c: ProjectContext,
  subject: { kind: 'discussion'; discussion: DiscussionRow; about: DiscussionSubject },
  words: { text: string; mentions: readonly string[] },
) => Promise<string>

/**
 * Starts a discussion with its first message. Returns its ID. Throws PLAN_LIMIT, NOT_FOUND for its subject, BAD_INPUT
 * at `memberIds` and `mentions` for people who couldn't see it, RATE_LIMITED.
 */
export async function startDiscussion(c: ProjectContext, body: BodyOf<typeof contract>, say: Say): Promise<string> {
  mustHaveGate(c, 'discussion')
  const about = await loadSubject(c, body)
  await mustSee(c, about, body.memberIds)
  const id = randomUUIDv7()
  await c.tx
    .insertInto('discussion')
    .values({
      org_id: c.org.orgId,
      id,
      project_id: c.project.projectId,
      title: body.title,
      post_id: about?.kind === 'post' ? about.post.id : null,
      conversation_id: about?.kind === 'conversation' ? about.conversation.id : null,
      campaign_id: about?.kind === 'campaign' ? about.campaignId : null,
      author_id: c.caller.personId,
      created_at: c.now,
      last_at: c.now,
    })
    .execute()
  await joinDiscussion(c, id, body.memberIds)
  const { text, mentions } = body
  await say(c, { kind: 'discussion', discussion: await findDiscussion(c, id), about }, { text, mentions })
  await c.audit({ entityId: id, detail: about ? { about: about.kind } : {} })
  return id
}

/** Throws BAD_INPUT at `memberIds` for someone who couldn't see it. */
async function mustSee(c: ProjectContext, about: DiscussionSubject, memberIds: readonly string[]): Promise<void> {
  const readers = await discussionReaders(c, about, memberIds)
  if (memberIds.some((person) => !readers.has(person)))
    throw fail('BAD_INPUT', {
      errors: { memberIds: [`Someone you chose can't see ${about ? `this ${about.kind}` : 'discussions'}.`] },
    })
}

/** Renames a discussion and sets who takes part. Throws PLAN_LIMIT, NOT_FOUND, and BAD_INPUT at `memberIds`. */
export async function editDiscussion(
  c: ProjectContext,
  discussionId: string,
  { title, memberIds }: { title: string; memberIds: readonly string[] },
): Promise<void> {
  mustHaveGate(c, 'discussion')
  const discussion = await lockDiscussion(c, discussionId)
  const before = await membersOf(c, discussionId)
  const wanted = [...new Set(memberIds)]
  const added = wanted.filter((person) => !before.includes(person))
  await mustSee(c, await subjectOf(c, discussion), added)
  if (wanted.length > DISCUSSION_MEMBERS_MOST)
    throw fail('BAD_INPUT', {
      errors: { memberIds: [`A discussion can have up to ${DISCUSSION_MEMBERS_MOST} members`] },
    })
  await c.tx
    .updateTable('discussion')
    .set({ title })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', discussionId)
    .execute()
  await c.tx
    .deleteFrom('discussion_member')
    .where('org_id', '=', c.org.orgId)
    .where('discussion_id', '=', discussionId)
    .where('person_id', 'not in', wanted.length > 0 ? wanted : [c.org.orgId])
    .execute()
  await joinDiscussion(c, discussionId, added)
  await notify(c, { id: discussionId, title }, 'discussion-added', added)
  await c.audit({
    entityId: discussionId,
    detail: { before: { title: discussion.title, members: before.length }, after: { title, members: wanted.length } },
  })
  await c.emit({ kind: 'discussion', ref: discussionId })
}

/** Resolves a discussion, or reopens it. To what it is already nothing happens. Throws PLAN_LIMIT, NOT_FOUND. */
export async function resolveDiscussion(c: ProjectContext, discussionId: string, resolved: boolean): Promise<void> {
  mustHaveGate(c, 'discussion')
  const discussion = await lockDiscussion(c, discussionId)
  if ((discussion.resolved_at !== null) === resolved) return await c.audit([])
  await c.tx
    .updateTable('discussion')
    .set(resolved ? { resolved_at: c.now, resolved_by: c.caller.personId } : { resolved_at: null, resolved_by: null })
    .where('org_id', '=', c.org.orgId)
    .where('id', '=', discussionId)
    .execute()
  if (resolved) {
    const readers = await discussionReaders(c, await subjectOf(c, discussion), await membersOf(c, discussionId))
    await notify(c, discussion, 'discussion-resolved', [...readers])
  }
  await c.audit({ entityId: discussionId, detail: { before: { resolved: !resolved }, after: { resolved } } })
  await c.emit({ kind: 'discussion', ref: discussionId })
}

/** Deletes a discussion with its messages and notifications. Throws NOT_FOUND, and FORBIDDEN for someone else's. */
export async function deleteDiscussion(c: ProjectContext, discussionId: string): Promise<void> {
  const discussion = await lockDiscussion(c, discussionId)
  if (discussion.author_id !== c.caller.personId && !(await isProjectAdmin(c)))
    throw fail('FORBIDDEN', { detail: 'Only the author or a project admin can delete a discussion.' })
  const notes = await c.tx
    .selectFrom('note')
    .select('id')
    .where('org_id', '=', c.org.orgId)
    .where('discussion_id', '=', discussionId)
    .execute()
  const about = await subjectIds(c, discussion)
  await c.tx.deleteFrom('discussion').where('org_id', '=', c.org.orgId).where('id', '=', discussionId).execute()
  await withdrawNotifications(
    c.tx,
    {
      orgId: c.org.orgId,
      dedupeKeys: [dedupeKeys.discussion(discussionId), ...notes.map(({ id }) => dedupeKeys.note(id))],
    },
    c.now,
  )
  await c.audit({ entityId: discussionId, detail: { authorId: discussion.author_id, messages: notes.length } })
  await c.emit(about.map((ref) => ({ kind: 'discussion' as const, ref })))
}

async function notify(
  c: ProjectContext,
  { id, title }: { id: string; title: string },
  kind: 'discussion-added' | 'discussion-resolved',
  people: readonly string[],
): Promise<void> {
  const others = people.filter((person) => person !== c.caller.personId)
  if (others.length === 0) return
  await createNotification(
    c.tx,
    {
      orgId: c.org.orgId,
      projectId: c.project.projectId,
      dedupeKey: dedupeKeys.discussion(id),
      kind,
      params: { author: await nameOf(c.tx, c.caller.personId), discussionId: id, discussion: title },
      people: others,
      channelIds: null,
    },
    c.now,
  )
}
