import type pg from 'pg'
import { saying } from './reasons.ts'
import { describeNotification, type NotificationFacts } from '#contract/notifications/catalog.ts'

/** Facts of a post that failed on Bluesky. `reason` is the first sentence of its body. */
export const failedPost = (postId = '1', reason = 'The account is gone.'): NotificationFacts => ({
  kind: 'post-failed',
  params: {
    postId,
    platform: 'bluesky',
    excerpt: '',
    failure: { class: 'permanent', action: 'edit', ...saying(reason, 'Connect another.') },
  },
})

/** Facts of a channel on Bluesky that was signed out. */
export const signedOut = (handle = '@rook'): NotificationFacts => ({
  kind: 'channel-signed-out',
  params: {
    handle,
    platform: 'bluesky',
    reason: saying('Its token has ended.', 'Reconnect it.'),
    latenessMinutes: 60,
  },
})

type Row = {
  org_id: string
  project_id: string | null
  kind: string
  params: unknown
  count: number
  read: boolean
  mails: boolean
}

/** The stored notifications that match, as people read them, oldest first. */
export async function storedNotifications(owner: pg.Pool, where = 'true', values: readonly unknown[] = []) {
  const { rows } = await owner.query<Row>(
    `select org_id, project_id, kind, params, count, read_at is not null as read, mail_due_at is not null as mails
     from notice where ${where} order by updated_at, id`,
    [...values],
  )
  return rows.map(({ org_id: orgId, project_id: projectId, kind, params, count, read, mails }) => ({
    kind,
    count,
    read,
    mails,
    ...describeNotification(kind, params, { orgId, projectId }),
  }))
}
