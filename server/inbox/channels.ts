import { sql } from 'kysely'
import { StoredReason } from '#contract/failures/define.ts'
import type { inboxChannels as contract } from '#contract/inbox/conversations.ts'
import { conversationKinds, type ConversationKind } from '#contract/inbox/terms.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { pictureAddress } from '../access/channels.ts'
import { kindsFor, type InboxReader } from './access.ts'

type Channel = ReplyOf<typeof contract>['channels'][number]
type State = Channel['kinds'][number]['state']
type Cursor = { kind: ConversationKind; state: State; first: boolean; readAt: string | null; trouble: unknown }
type Row = Omit<Channel, 'kinds'> & { cursors: Cursor[] }

/** How reading the conversations of each channel that the caller reaches goes, for the kinds that they see. */
export async function readInboxChannels(c: InboxReader): Promise<Channel[]> {
  const scope = c.project.channelIds && [...c.project.channelIds]
  const { rows } = await sql<Row>`
    select ch.id as "channelId", ch.name as "channelName", ch.handle, ch.platform as "platformName", ${pictureAddress('ch')} as "profileUrl", ch.simulated,
      (select coalesce(json_agg(json_build_object('kind', k.kind, 'state', k.state, 'first', k.first,
          'readAt', to_char(k.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'trouble', k.trouble)), '[]')
        from inbox_cursor k where k.org_id = ch.org_id and k.channel_id = ch.id) as cursors
    from channel ch
    where ch.org_id = ${c.org.orgId} and ch.project_id = ${c.project.projectId} and ch.deleted_at is null${scope ? sql` and ch.id = any(${scope}::uuid[])` : sql``}
    order by lower(ch.name), ch.id`.execute(c.tx)
  const kinds = kindsFor(c.project, 'view')
  return rows.map(({ cursors, ...channel }) => ({
    ...channel,
    kinds: conversationKinds
      .filter((kind) => kinds.includes(kind))
      .map((kind) => stateOf(channel.platformName, kind, cursors)),
  }))
}

function stateOf(platform: PlatformKey, kind: ConversationKind, cursors: readonly Cursor[]): Channel['kinds'][number] {
  if (!inboxRules[platform].kinds[kind]) return { kind, state: 'none', readAt: null, reason: null }
  const cursor = cursors.find((one) => one.kind === kind)
  if (!cursor) return { kind, state: 'first', readAt: null, reason: null }
  const { state, first, readAt, trouble } = cursor
  return {
    kind,
    state: state === 'reading' && first ? 'first' : state,
    readAt,
    reason: StoredReason.nullable().catch(null).parse(trouble),
  }
}
