import { sql } from 'kysely'
import { alwaysMailed, defaultWays } from '#contract/notices.ts'
import { asksToReconnect, topicOf, type NotificationFacts } from '#contract/notifications/catalog.ts'
import { memberMay } from '../access/memberMay.ts'
import type { Tx } from '../db/kysely.ts'
import { hearsOf } from './list.ts'

/** Something people should know, as a kind with its facts (`contract/notifications`): no text. */
export type NewNotification = NotificationFacts & {
  orgId: string
  /** Null for the organization as a whole: it's shown in each of its projects. */
  projectId: string | null
  /**
   * Names its subject, such as `channel:<id>:reconnect`: a person has one notification of it, which becomes unread
   * again.
   */
  dedupeKey: string
  /** `project-editors`: people who can publish in the project; about its channels, also those who can connect them. */
  people: 'project-editors' | 'org-admins' | readonly string[]
  /** Posts whose authors are notified as well, whatever their role allows. */
  authorsOf?: readonly string[]
  /**
   * Its channels: a role with specific channels is notified if it includes one of them. Null for the project as a
   * whole.
   */
  channelIds: readonly string[] | null
  /** Created once: repeating it changes nothing for people who have it. */
  once?: boolean
}

export type Notify = (tx: Tx, notification: NewNotification, now: Date) => Promise<void>

/**
 * Minutes in which a notification may still be read before it's emailed; others from that time go into the same email.
 */
const MAIL_AFTER_MINUTES = 5
/** Hours within which a repeated, unread notification isn't emailed again. */
const MAIL_AGAIN_HOURS = 24

/**
 * Creates a notification in its subject's transaction, and announces it to open screens. Works in a tenant and as the
 * system role. People are notified as they chose for its topic: if it's hidden in the app, its row is kept, so that it
 * stays one and is emailed once; with neither, nothing is created.
 */
export const createNotification: Notify = async (tx, notification, now) => {
  const { orgId, projectId, dedupeKey, kind, channelIds } = notification
  const topic = topicOf(kind)
  const stored = JSON.stringify(notification.params)
  const params = asksToReconnect(kind)
    ? sql`${stored}::jsonb || jsonb_build_object('canReconnect', c.connects)`
    : sql`${stored}::jsonb`
  const byDefault = defaultWays(topic)
  const inApp = sql`coalesce(w.in_app, ${byDefault.inApp}::boolean)`
  const mail = alwaysMailed.includes(topic) ? sql`true` : sql`coalesce(w.mail, ${byDefault.mail}::boolean)`
  const due = new Date(now.getTime() + MAIL_AFTER_MINUTES * 60_000)
  const longAgo = new Date(now.getTime() - MAIL_AGAIN_HOURS * 3_600_000)
  await sql`
    with created as (
      insert into notice as n (org_id, id, person_id, project_id, dedupe_key, kind, params, channel_ids, created_at, updated_at, in_app, mail_due_at)
      select ${orgId}, uuidv7(), c.person_id, ${projectId}, ${dedupeKey}, ${kind}, ${params}, ${channelIds && [...channelIds]}::uuid[], ${now}, ${now},
        ${inApp}, case when ${mail} then ${due}::timestamptz end
      from (${peopleOf(notification)}) c left join notice_preference w on w.person_id = c.person_id and w.topic = ${topic}
      where ${inApp} or ${mail}
      order by c.person_id
      on conflict (org_id, person_id, dedupe_key) do update set
        kind = excluded.kind, params = excluded.params, channel_ids = excluded.channel_ids, updated_at = excluded.updated_at, count = n.count + 1, read_at = null, in_app = excluded.in_app,
        mail_due_at = case
          when excluded.mail_due_at is null then null
          -- one is due or under way
          when n.mail_due_at is not null then n.mail_due_at
          when n.mailed_at is null or n.read_at is not null or n.mailed_at <= ${longAgo} then excluded.mail_due_at
        end,
        -- after one that was sent long ago or taken back it's another email
        mail_id = case when n.mail_due_at is null then null else n.mail_id end
      where not ${notification.once ?? false}
      returning n.org_id, n.project_id, n.person_id, n.id, n.in_app
    )
    insert into event (at, org_id, project_id, person_id, kind, ref)
    select ${now}, r.org_id, r.project_id, r.person_id, 'notice', r.id::text from created r where r.in_app`.execute(tx)
}

function peopleOf({ orgId, projectId, kind, people, channelIds, authorsOf = [] }: NewNotification) {
  // only its admins can still open an organization that is being deleted
  const members = sql`
    select m.person_id, ${memberMay('channel', 'create')} as connects
    from member m join organization o on o.org_id = m.org_id
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where m.org_id = ${orgId} and m.removed_at is null and (o.deletes_at is null or m.is_admin)`
  if (people === 'org-admins') return sql`${members} and m.is_admin`
  if (people !== 'project-editors') return sql`${members} and m.person_id = any(${[...people]}::uuid[])`
  const connects = topicOf(kind) === 'channels' ? memberMay('channel', 'create') : sql`false`
  const wrote = sql`exists (select from post p where p.org_id = m.org_id and p.id = any(${[...authorsOf]}::uuid[]) and p.author_id = m.person_id)`
  return sql`
    ${members} and (m.is_admin or (
      pm.person_id is not null and (${memberMay('post', 'publish')} or ${connects} or ${wrote})
      and ${hearsOf(sql`${channelIds && [...channelIds]}::uuid[]`, sql`pm.channel_ids`)}
    ))`
}
