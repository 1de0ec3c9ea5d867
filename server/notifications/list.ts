import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { paginationOf } from '#contract/common.ts'
import { noticeTopics, topicNeeds, type listNotices, type NoticeTopic } from '#contract/notices.ts'
import { describeNotification, kindsOf, topicOf } from '#contract/notifications/catalog.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { allows, type Permissions } from '#contract/permissions.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'

export type Reader = {
  orgId: string
  projectId: string
  personId: string
  /** The role's channels; null means every channel. */ channelIds: readonly string[] | null
  permissions: Permissions
}

/** Whether someone with this channel scope gets notifications about these channels; null means all of them, in both. */
export const hearsOf = (channels: RawBuilder<unknown>, scope: RawBuilder<unknown>) =>
  sql<boolean>`(${channels} is null or ${scope} is null or ${channels} && ${scope})`

/** The kinds of notifications that only some roles may see, by what those need. */
export const limitedKinds = noticeTopics.flatMap((topic) => {
  const needs = topicNeeds[topic]
  return needs ? [{ kinds: kindsOf(topic), needs }] : []
})

/**
 * Whether a notification is still for this reader: a role that has other channels by now, or no longer sees what the topic
 * is about, doesn't see old ones.
 */
const isReached = ({ channelIds, permissions }: Reader) => {
  const hidden = limitedKinds.filter(({ needs: [resource, action] }) => !allows(permissions, resource, action))
  const reached = hearsOf(sql`channel_ids`, sql`${channelIds && [...channelIds]}::uuid[]`)
  return sql<boolean>`(${reached} and kind <> all(${hidden.flatMap(({ kinds }) => kinds)}::text[]))`
}

/** The person's own notifications that are shown in the project: its own, and those of the organization as a whole. */
function ownNotices(tx: Tx, reader: Reader) {
  const { orgId, projectId, personId } = reader
  return tx
    .selectFrom('notice')
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('in_app', '=', true)
    .where((e) => e.or([e('project_id', 'is', null), e('project_id', '=', projectId)]))
    .where(isReached(reader))
}

type Wanted = Omit<z.output<(typeof listNotices)['query']>, 'topic'> & { topic?: NoticeTopic | undefined }

/** A page of the person's notifications, newest first. `unread` counts all of them, whatever the filter. */
export async function readNotices(
  tx: Tx,
  reader: Reader,
  { page, limit, unread, topic }: Wanted,
): Promise<Omit<ReplyOf<typeof listNotices>, 'unreadInbox'>> {
  const own = ownNotices(tx, reader)
  const wanted = own
    .$if(unread === true, (q) => q.where('read_at', 'is', null))
    .$if(topic !== undefined, (q) => q.where(sql<boolean>`kind = any(${topic ? kindsOf(topic) : []}::text[])`))
  const [rows, { totalCount }, { open }, invitations] = await Promise.all([
    wanted
      .selectAll()
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
    wanted.select((e) => e.fn.countAll<number>().as('totalCount')).executeTakeFirstOrThrow(),
    own
      .select((e) => e.fn.countAll<number>().as('open'))
      .where('read_at', 'is', null)
      .executeTakeFirstOrThrow(),
    tx
      .selectFrom('notice_preference')
      .select('in_app')
      .where('person_id', '=', reader.personId)
      .where('topic', '=', 'invitations' satisfies NoticeTopic)
      .executeTakeFirst(),
  ])
  const notices = rows.map((row) => ({
    noticeId: row.id,
    kind: row.kind,
    topic: topicOf(row.kind),
    ...describeNotification(row.kind, row.params, { orgId: reader.orgId, projectId: row.project_id }),
    createdAt: row.updated_at.toISOString(),
    count: row.count,
    read: row.read_at !== null,
  }))
  return {
    notices,
    unread: open,
    showsInvites: invitations?.in_app ?? true,
    pagination: paginationOf({ page, limit }, totalCount),
  }
}

const toRead = (tx: Tx, reader: Reader, now: Date) => {
  const { orgId, projectId, personId } = reader
  return (
    tx
      .updateTable('notice')
      // what was read needs no email anymore
      .set((e) => ({ read_at: e.fn.coalesce('read_at', e.val(now)), mail_due_at: null }))
      .where('org_id', '=', orgId)
      .where('person_id', '=', personId)
      .where('in_app', '=', true)
      .where((e) => e.or([e('project_id', 'is', null), e('project_id', '=', projectId)]))
      .where(isReached(reader))
  )
}

/** Marks one of the person's own notifications as read; its email isn't sent anymore. Throws NOT_FOUND. */
export async function markRead(tx: Tx, reader: Reader, noticeId: string, now: Date): Promise<void> {
  const read = await toRead(tx, reader, now).where('id', '=', noticeId).returning('id').executeTakeFirst()
  if (!read) throw fail('NOT_FOUND')
}

/** Marks all of the person's notifications shown in the project as read. Returns how many were unread. */
export async function markAllRead(tx: Tx, reader: Reader, now: Date): Promise<number> {
  const read = await toRead(tx, reader, now).where('read_at', 'is', null).returning('id').execute()
  return read.length
}
