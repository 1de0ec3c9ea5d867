import { sql } from 'kysely'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { conversationChoices } from '#contract/inbox/actions.ts'
import type { Label } from '#contract/labels.ts'
import { allows } from '#contract/permissions.ts'
import { pictureAddress } from '../people/person.ts'
import { kindsFor, membersWhoSee, type InboxReader } from './access.ts'

type Choices = ReplyOf<typeof conversationChoices>

/**
 * What conversations can be given: colleagues who see some of them, and the project's labels. Who may change
 * conversations gets both without the rights to see the project's members and labels, because assigning and labeling
 * need them; everyone else gets what their role sees.
 */
export async function readChoices(c: InboxReader): Promise<Choices> {
  const editable = kindsFor(c.project, 'edit')
  const mayEdit = editable.length > 0
  const { permissions } = c.project
  const [people, labels] = await Promise.all([
    mayEdit || allows(permissions, 'user', 'view') ? readers(c, mayEdit ? editable : kindsFor(c.project, 'view')) : [],
    mayEdit || allows(permissions, 'label', 'view') ? labelsOf(c) : [],
  ])
  return { people, labels }
}

/** Who sees conversations of these kinds on a channel that the caller reaches. */
async function readers({ tx, org, project }: InboxReader, kinds: readonly string[]): Promise<Choices['people']> {
  const scope = project.channelIds && [...project.channelIds]
  const { rows } = await sql<{ id: string; name: string; picture_id: string | null }>`
    select p.id, trim(p.first_name || ' ' || p.last_name) as name, p.picture_id from person p
    where p.id in (
      select seeing.person_id from channel ch cross join unnest(${[...kinds]}::text[]) as one(kind)
      cross join lateral (select m.person_id from ${membersWhoSee(org.orgId, project.projectId, sql`one.kind`, sql`ch.id`)}) seeing
      where ch.org_id = ${org.orgId} and ch.project_id = ${project.projectId} and ch.deleted_at is null${scope ? sql` and ch.id = any(${scope}::uuid[])` : sql``})
    order by lower(p.first_name), lower(p.last_name), p.id`.execute(tx)
  return rows.map(({ id, name, picture_id: pictureId }) => ({
    userId: id,
    name,
    profileUrl: pictureAddress(pictureId),
  }))
}

async function labelsOf({ tx, org, project }: InboxReader): Promise<Choices['labels']> {
  const { rows } = await sql<Omit<Label, 'posts'>>`
    select id as "labelId", name as "labelName", color, state from label
    where org_id = ${org.orgId} and project_id = ${project.projectId} order by lower(name), id`.execute(tx)
  return rows
}
