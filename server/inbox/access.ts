import { sql, type RawBuilder, type Selectable } from 'kysely'
import { conversationKinds, ConversationKind, ConversationStatus, rightOf } from '#contract/inbox/terms.ts'
import { allows, type Action } from '#contract/permissions.ts'
import type { Database } from '../db/schema.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { Caller, CallerProject, ProjectContext } from '../http/route.ts'

/*
 * Who sees a conversation and may change it. Messages ask for `dm`, everything else for `comment`, on the channels that
 * the role reaches. Both come with seeing the inbox at all.
 */

/** Who looks at the inbox: enough for a query of conversations. */
export type InboxReader = {
  tx: Tx
  org: { orgId: string }
  project: Pick<CallerProject, 'projectId' | 'channelIds' | 'permissions' | 'zone'>
  caller: Pick<Caller, 'personId'>
  now: Date
}

/** Whose rights decide what is counted, whether or not someone asks. */
export type InboxScope = Omit<InboxReader, 'caller'>

export type ConversationRecord = Omit<Selectable<Database['conversation']>, 'kind' | 'status'> & {
  kind: ConversationKind
  status: ConversationStatus
}

/** Whether the role allows the action on conversations of the kind. */
export const mayOn = (
  { permissions }: Pick<CallerProject, 'permissions'>,
  kind: ConversationKind,
  action: Action,
): boolean => allows(permissions, 'inbox', 'view') && allows(permissions, rightOf(kind), action)

/** The kinds of conversations on which the role allows the action. */
export const kindsFor = (project: Pick<CallerProject, 'permissions'>, action: Action): ConversationKind[] =>
  conversationKinds.filter((kind) => mayOn(project, kind, action))

/** Which conversations `c` of a query the caller may do the action to, among those of the project. */
export function reachable({ project }: Pick<InboxReader, 'project'>, action: Action = 'view'): RawBuilder<boolean> {
  const kinds = kindsFor(project, action)
  const scope = project.channelIds && [...project.channelIds]
  const ofKind = kinds.length < conversationKinds.length ? sql`c.kind = any(${kinds}::text[])` : sql`true`
  return scope === null ? sql`(${ofKind})` : sql`(${ofKind} and c.channel_id = any(${scope}::uuid[]))`
}

/** The conversation. Absent, of another project, of a kind or on a channel that the caller doesn't see: NOT_FOUND. */
export async function findConversation(c: InboxReader, conversationId: string): Promise<ConversationRecord> {
  return visible(c, await query(c, conversationId).executeTakeFirst())
}

/**
 * The conversation, locked, for a change. Throws as findConversation, FORBIDDEN without the right to the action on its
 * kind, and STALE_VERSION when it was changed since `version`.
 */
export async function loadConversation(
  c: InboxReader,
  conversationId: string,
  version?: number,
  action: Action = 'edit',
): Promise<ConversationRecord> {
  const conversation = visible(c, await query(c, conversationId).forUpdate().executeTakeFirst())
  if (!mayOn(c.project, conversation.kind, action)) throw fail('FORBIDDEN')
  if (version !== undefined && version !== conversation.version)
    throw fail('STALE_VERSION', { meta: { version: conversation.version } })
  return conversation
}

const query = ({ tx, org, project }: InboxReader, conversationId: string) =>
  tx
    .selectFrom('conversation')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', conversationId)

function visible(
  { project }: Pick<InboxReader, 'project'>,
  row: Selectable<Database['conversation']> | undefined,
): ConversationRecord {
  if (!row) throw fail('NOT_FOUND')
  const conversation = {
    ...row,
    kind: ConversationKind.parse(row.kind),
    status: ConversationStatus.parse(row.status),
  }
  const isReached = project.channelIds === null || project.channelIds.includes(conversation.channel_id)
  if (!isReached || !mayOn(project, conversation.kind, 'view')) throw fail('NOT_FOUND')
  return conversation
}

/**
 * Those of the people who see a conversation: members of the project whose role shows the inbox and the kind and reaches
 * the channel. With `also`, those who hold that right too.
 */
export async function readersOf(
  { tx, org, project }: Pick<ProjectContext, 'tx' | 'org' | 'project'>,
  { kind, channel_id }: Pick<ConversationRecord, 'kind' | 'channel_id'>,
  people: readonly string[],
  also?: { resource: 'note'; action: 'view' },
): Promise<Set<string>> {
  const { rows } = await sql<{ person_id: string }>`
    select m.person_id from ${membersWhoSee(org.orgId, project.projectId, sql`${kind}::text`, sql`${channel_id}::uuid`, also)} and m.person_id = any(${[...people]}::uuid[])`.execute(
    tx,
  )
  return new Set(rows.map((row) => row.person_id))
}

/**
 * `from … where …` of a query of members (`m`) who see the conversations of a kind on a channel. Without a role people may
 * view everything.
 */
export function membersWhoSee(
  orgId: string,
  projectId: string,
  kind: RawBuilder<string>,
  channelId: RawBuilder<string>,
  also?: { resource: 'note'; action: 'view' },
): RawBuilder<unknown> {
  return sql`member m
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where m.org_id = ${orgId} and m.removed_at is null and (m.is_admin or (
      pm.person_id is not null and (pm.channel_ids is null or ${channelId} = any(pm.channel_ids))
      and (r.id is null or (r.permissions -> 'inbox' ? 'view' and r.permissions -> (case ${kind} when 'message' then 'dm' else 'comment' end) ? 'view'${
        also ? sql` and r.permissions -> ${also.resource}::text ? ${also.action}::text` : sql``
      }))))`
}
