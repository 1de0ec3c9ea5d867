import { listNotices, readNotice } from '#contract/notices.ts'
import { fail } from '../errors.ts'
import { handle, type Route } from '../http/route.ts'

const SHOWN = 50

export function noticeRoutes(): Route[] {
  return [
    handle(listNotices, async (c) => {
      const own = c.tx.selectFrom('notice').where('org_id', '=', c.org.orgId).where('person_id', '=', c.caller.personId).where((e) => e.or([e('project_id', 'is', null), e('project_id', '=', c.project.projectId)]))
      const [rows, { unread }] = await Promise.all([
        own.selectAll().orderBy('updated_at', 'desc').orderBy('id', 'desc').limit(SHOWN).execute(),
        own.select((e) => e.fn.countAll<number>().as('unread')).where('read_at', 'is', null).executeTakeFirstOrThrow(),
      ])
      const notices = rows.map((row) => ({ noticeId: row.id, kind: row.kind, title: row.title, body: row.body, link: row.link, createdAt: row.updated_at.toISOString(), read: row.read_at !== null }))
      return { notices, unread }
    }),

    handle(readNotice, async (c) => {
      const { noticeId } = c.params
      const read = await c.tx
        .updateTable('notice')
        .set((e) => ({ read_at: e.fn.coalesce('read_at', e.val(c.now)) }))
        .where('org_id', '=', c.org.orgId)
        .where('id', '=', noticeId)
        .where('person_id', '=', c.caller.personId)
        .where((e) => e.or([e('project_id', 'is', null), e('project_id', '=', c.project.projectId)]))
        .returning('id')
        .executeTakeFirst()
      if (!read) throw fail('NOT_FOUND')
      // the person's other windows
      await c.emit({ kind: 'notice', ref: noticeId, personId: c.caller.personId })
      return {}
    }),
  ]
}
