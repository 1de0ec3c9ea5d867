import { sql } from 'kysely'
import { alwaysMailed } from '#contract/notices.ts'
import type { Tx } from '../db/kysely.ts'
import { topicOf, type NoticeKind } from './kinds.ts'

/** Something that people must know of. One notice per matter and person: a matter that comes again is the same one, unread again. */
export type Matter = {
  orgId: string
  /** Null for the organization as a whole: it shows in each of its projects. */
  projectId: string | null
  /** Names the matter, such as `channel:<id>:reconnect`. */
  matter: string
  kind: NoticeKind
  title: string
  body: string
  /** The body for people who may not reconnect channels, where the other one asks for that. */
  bodyToAsk?: string
  /** What somebody said about it, in their own words: shown as a quote. */
  quote?: string
  /** A path of the app that leads to it. */
  link: string | null
  /** `project-editors`: who may publish in the project; of its channels also who may connect them. */
  people: 'project-editors' | 'org-admins' | readonly string[]
  /** Posts whose authors hear of it as well, whatever their role allows. */
  authorsOf?: readonly string[]
  /** What it speaks of: a role that is bound to channels hears of it when it reaches one of them. Null for the project as a whole. */
  channelIds: readonly string[] | null
  /** Told once for good: coming again, it changes nothing for those who were told. */
  once?: boolean
}

/** What people who may not reconnect a channel are told instead of the advice to do so. */
export const ASK_TO_RECONNECT = 'Ask an admin of the project to reconnect the channel.'

export type Notify = (tx: Tx, matter: Matter, now: Date) => Promise<void>

/** Minutes that a notice may still be read in before it is mailed; what comes up meanwhile goes into the same mail. */
const MAIL_AFTER_MINUTES = 5
/** A matter that keeps coming up unread is not mailed again within these hours. */
const MAIL_AGAIN_HOURS = 24

/**
 * Raises a notice in the transaction of what it speaks of, and tells open screens. Works in a tenant and as the system
 * role. People hear of it as they chose for its topic: hidden in the app its row is kept, so that the matter stays one
 * and its mail is sent once; without either nothing is raised.
 */
export const raiseNotice: Notify = async (tx, matter, now) => {
  const { orgId, projectId } = matter
  const topic = topicOf(matter.kind)
  const inApp = sql`coalesce(w.in_app, true)`
  const mail = alwaysMailed.includes(topic) ? sql`true` : sql`coalesce(w.mail, true)`
  const due = new Date(now.getTime() + MAIL_AFTER_MINUTES * 60_000)
  const longAgo = new Date(now.getTime() - MAIL_AGAIN_HOURS * 3_600_000)
  await sql`
    with raised as (
      insert into notice as n (org_id, id, person_id, project_id, matter, kind, title, body, quote, link, channel_ids, created_at, updated_at, in_app, mail_due_at)
      select ${orgId}, uuidv7(), c.person_id, ${projectId}, ${matter.matter}, ${matter.kind}, ${matter.title}, case when c.connects then ${matter.body} else ${matter.bodyToAsk ?? matter.body} end, ${matter.quote ?? null}, ${matter.link}, ${matter.channelIds && [...matter.channelIds]}::uuid[], ${now}, ${now},
        ${inApp}, case when ${mail} then ${due}::timestamptz end
      from (${peopleOf(matter)}) c left join notice_preference w on w.person_id = c.person_id and w.topic = ${topic}
      where ${inApp} or ${mail}
      order by c.person_id
      on conflict (org_id, person_id, matter) do update set
        title = excluded.title, body = excluded.body, quote = excluded.quote, link = excluded.link, channel_ids = excluded.channel_ids, updated_at = excluded.updated_at, count = n.count + 1, read_at = null, in_app = excluded.in_app,
        mail_due_at = case
          when excluded.mail_due_at is null then null
          -- one is due already, or under way
          when n.mail_due_at is not null then n.mail_due_at
          when n.mailed_at is null or n.read_at is not null or n.mailed_at <= ${longAgo} then excluded.mail_due_at
        end,
        -- a mail that was sent long ago, or was not wanted any more, is another one
        mail_id = case when n.mail_due_at is null then null else n.mail_id end
      where not ${matter.once ?? false}
      returning n.org_id, n.project_id, n.person_id, n.id, n.in_app
    )
    insert into event (at, org_id, project_id, person_id, kind, ref)
    select ${now}, r.org_id, r.project_id, r.person_id, 'notice', r.id::text from raised r where r.in_app`.execute(tx)
}

function peopleOf({ orgId, projectId, kind, people, channelIds, authorsOf = [] }: Matter) {
  // into an organization that is being deleted only its admins come: nobody else could act on what they read
  const connector = sql`(m.is_admin or exists (
    select from project_member pm join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id and r.permissions -> 'channel' ? 'create'))`
  const members = sql`select m.person_id, ${connector} as connects from member m join organization o on o.org_id = m.org_id where m.org_id = ${orgId} and m.removed_at is null and (o.deletes_at is null or m.is_admin)`
  if (people === 'org-admins') return sql`${members} and m.is_admin`
  if (people !== 'project-editors') return sql`${members} and m.person_id = any(${[...people]}::uuid[])`
  const reached = channelIds && [...channelIds]
  // by what they may do and not by the name of their role; the publishing choice is applied as in `effective` (contract/permissions.ts)
  const publishes = sql`(r.permissions -> 'post' ? 'publish' and pm.publishing <> 'none')`
  const connects = topicOf(kind) === 'channels' ? sql`r.permissions -> 'channel' ? 'create'` : sql`false`
  const wrote = sql`exists (select from post p where p.org_id = m.org_id and p.id = any(${[...authorsOf]}::uuid[]) and p.author_id = m.person_id)`
  return sql`
    ${members} and (m.is_admin or exists (
      select from project_member pm left join role r on r.org_id = pm.org_id and r.id = pm.role_id
      where pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id
        and (${publishes} or ${connects} or ${wrote})
        and (pm.channel_ids is null or ${reached}::uuid[] is null or pm.channel_ids && ${reached}::uuid[])
    ))`
}
