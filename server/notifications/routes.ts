import * as contract from '#contract/notices.ts'
import { asSystem } from '../db/system.ts'
import {
  handle,
  handleBytes,
  type Caller,
  type CallerOrg,
  type CallerProject,
  type ProjectContext,
  type Route,
} from '../http/route.ts'
import type { Dependencies } from '../dependencies.ts'
import { installationSecret } from '../secret.ts'
import { markAllRead, markRead, readNotices, type Reader } from './list.ts'
import { choose, readPreferences } from './preferences.ts'
import { pageOf, stopMails, UNSUBSCRIBE } from './unsubscribe.ts'

/** `countUnread`: the caller's conversations with something that they haven't seen. */
export function notificationRoutes(
  { env, databases }: Dependencies,
  countUnread: (c: ProjectContext) => Promise<number>,
): Route[] {
  const secret = installationSecret(env, UNSUBSCRIBE)
  return [
    handle(contract.listNotices, async (c) => ({
      ...(await readNotices(c.tx, readerOf(c), c.query)),
      unreadInbox: await countUnread(c),
    })),

    handle(contract.readNotice, async (c) => {
      const { noticeId } = c.params
      await markRead(c.tx, readerOf(c), noticeId, c.now)
      // the person's other windows
      await c.emit({ kind: 'notice', ref: noticeId, personId: c.caller.personId })
      return {}
    }),

    handle(contract.readAllNotices, async (c) => {
      const read = await markAllRead(c.tx, readerOf(c), c.now)
      if (read > 0) await c.emit({ kind: 'notice', ref: 'all', personId: c.caller.personId })
      return { message: 'All notices marked as read' }
    }),

    handle(contract.noticePreferences, (c) =>
      asSystem(databases.system, (tx) => readPreferences(tx, c.caller.personId)),
    ),

    handle(contract.setNoticePreference, (c) =>
      asSystem(databases.system, async (tx) => {
        await choose(tx, c.caller.personId, c.body)
        return await readPreferences(tx, c.caller.personId)
      }),
    ),

    handle(contract.unsubscribe, async (c) => ({
      topics: await asSystem(databases.system, (tx) => stopMails(tx, secret, c.query.token)),
    })),

    handleBytes(contract.unsubscribePage, async (c) => ({
      contentType: 'text/html; charset=utf-8',
      bytes: Buffer.from(pageOf(env.publicUrl, c.query.token)),
    })),
  ]
}

const readerOf = (c: { org: CallerOrg; project: CallerProject; caller: Caller }): Reader => ({
  orgId: c.org.orgId,
  projectId: c.project.projectId,
  personId: c.caller.personId,
  channelIds: c.project.channelIds,
  permissions: c.project.permissions,
})
