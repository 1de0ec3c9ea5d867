import { sql } from 'kysely'
import { Id } from '#contract/common.ts'
import type { PublishingChoice } from '#contract/permissions.ts'
import type { Tx } from '../db/kysely.ts'

/**
 * Accepted takes precedence over withdrawn, and that over expired. While the organization is being deleted, an open one
 * counts as withdrawn.
 */
type InviteState = 'open' | 'expired' | 'revoked' | 'accepted'

/** An invitation with the names it shows. */
export type InviteFacts = {
  inviteId: string
  orgId: string
  projectId: string
  email: string
  orgName: string
  projectName: string
  /** Null: deleted after the invitation had ended. */
  roleId: string | null
  roleName: string
  /** Null: every channel of the project. */
  channelIds: string[] | null
  publishing: PublishingChoice
  /** The sender's name, even if they have left since. */
  invitedBy: string
  expiresAt: Date
  acceptedBy: string | null
  state: InviteState
}

type Row = {
  id: string
  org_id: string
  project_id: string
  email: string
  org_name: string
  project_name: string
  role_id: string | null
  role_name: string | null
  channel_ids: string[] | null
  publishing: string
  first_name: string | null
  last_name: string | null
  expires_at: Date
  accepted_by: string | null
  accepted_at: Date | null
  revoked_at: Date | null
  deletes_at: Date | null
}

/**
 * The invitation with this id, in any state; none for a malformed id. In a system transaction, because its reader
 * belongs to no tenant yet.
 */
export async function inviteById(tx: Tx, inviteId: string, now: Date): Promise<InviteFacts | undefined> {
  if (!Id.safeParse(inviteId).success) return undefined
  const { rows } = await sql<Row>`${selected} where i.id = ${inviteId}`.execute(tx)
  return rows[0] && present(rows[0], now)
}

/** Invitations to the address that can be accepted now, newest first. In a system transaction. `email` in lower case. */
export async function openInvitesOf(tx: Tx, email: string, now: Date): Promise<InviteFacts[]> {
  const { rows } = await sql<Row>`${selected}
    where i.email = ${email} and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now} and o.deletes_at is null
    order by i.sent_at desc, i.id`.execute(tx)
  return rows.map((row) => present(row, now))
}

const selected = sql`
  select i.id, i.org_id, i.project_id, i.email, o.name as org_name, p.name as project_name, i.role_id, r.name as role_name,
    i.channel_ids, i.publishing, inviter.first_name, inviter.last_name, i.expires_at, i.accepted_by, i.accepted_at, i.revoked_at, o.deletes_at
  from invite i
  join organization o on o.org_id = i.org_id
  join project p on p.org_id = i.org_id and p.id = i.project_id and p.deleted_at is null
  left join role r on r.org_id = i.org_id and r.id = i.role_id
  left join person inviter on inviter.id = i.invited_by`

function present(row: Row, now: Date): InviteFacts {
  return {
    inviteId: row.id,
    orgId: row.org_id,
    projectId: row.project_id,
    email: row.email,
    orgName: row.org_name,
    projectName: row.project_name,
    roleId: row.role_id,
    roleName: row.role_name ?? '',
    channelIds: row.channel_ids,
    publishing: row.publishing === 'none' ? 'none' : 'full',
    invitedBy: [row.first_name, row.last_name].filter(Boolean).join(' '),
    expiresAt: row.expires_at,
    acceptedBy: row.accepted_by,
    state: row.accepted_at
      ? 'accepted'
      : row.revoked_at || row.deletes_at
        ? 'revoked'
        : row.expires_at <= now
          ? 'expired'
          : 'open',
  }
}
