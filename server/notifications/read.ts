import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { isReached, type Reader } from './list.ts'

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
