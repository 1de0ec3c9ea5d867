import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { ConversationItem, InboxPerson, NamedConversations, SearchHit } from '#contract/inbox/conversations.ts'
import { WebAddress } from '#contract/common.ts'
import {
  unsentStates,
  type ConversationKind,
  type ConversationStatus,
  type Sentiment,
  type UnsentState,
} from '#contract/inbox/terms.ts'
import { allows } from '#contract/permissions.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Editor } from '#contract/presence.ts'
import { pictureAddress as channelPicture } from '../access/channels.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import { pictureAddress } from '../people/person.ts'
import type { InboxReader } from './access.ts'
import { answerUntil } from './answering.ts'

type Named = z.output<typeof NamedConversations>
type Label = Named['labels'][number]
type Item = z.output<typeof ConversationItem>

/** A person on a platform, as queries read them; all null where there is none. */
export type PersonColumns = {
  person: { name: string; handle: string; pictureUrl: string | null; url: string | null } | null
}
/** SQL of that person, whose table is called `p`. */
export const personColumn: RawBuilder<unknown> = sql`case when p.id is not null then json_build_object('name', p.name, 'handle', p.handle, 'pictureUrl', p.picture_url, 'url', p.url) end as person`

export type ConversationRow = PersonColumns & {
  id: string
  kind: ConversationKind
  status: ConversationStatus
  preview: string
  last_direction: 'received' | 'sent'
  last_author: string | null
  last_at: Date
  last_received_at: Date | null
  unanswered: number
  waiting_since: Date | null
  held: number
  unsent: UnsentState | null
  follow_up_on: string | null
  sentiment: Sentiment | null
  rating: number | null
  version: number
  unread: boolean
  notes: number
  channel_id: string
  channel_name: string
  channel_handle: string
  platform: PlatformKey
  channel_picture: string | null
  simulated: boolean
  assignee_id: string | null
  assignee_name: string | null
  assignee_picture: string | null
  labels: Label[]
  /** Where a search found it. */
  hit?: SearchHit | null
}

/** Whether something was received in the conversation `c` of a query that the caller hasn't seen. */
export const isUnread = ({ caller }: Pick<InboxReader, 'caller'>): RawBuilder<boolean> =>
  sql`(c.last_received_at is not null and not exists (
    select from conversation_read seen where seen.org_id = c.org_id and seen.person_id = ${caller.personId} and seen.conversation_id = c.id and seen.up_to >= c.last_received_at))`

/** Whether a reply `r` of a query wasn't sent or has to be checked, in the words of the index reply_unsent. */
export const isUnsent: RawBuilder<boolean> = sql`r.state in (${sql.join(unsentStates.map((state) => sql.lit(state)))})`

/** Of who wrote last in `c`, where it's someone else than the other side. */
const lastAuthor = sql`case when c.last_direction = 'received' then (
    select coalesce(nullif(w.name, ''), nullif(w.handle, '')) from inbox_item i join inbox_person w on w.org_id = i.org_id and w.id = i.person_id
    where i.org_id = c.org_id and i.conversation_id = c.id and i.at = c.last_at and i.deleted_at is null and i.direction = 'received' and i.person_id is distinct from c.person_id
    order by i.id desc limit 1) end`

const notesOf = ({ project }: Pick<InboxReader, 'project'>): RawBuilder<number> =>
  allows(project.permissions, 'note', 'view')
    ? sql`(select count(*)::int from note n where n.org_id = c.org_id and n.conversation_id = c.id)`
    : sql`0`

/** `select … from …` of conversations (`c`) with what lists show of them; the rest of the query follows. */
export const selectConversations = (c: Pick<InboxReader, 'caller' | 'project'>): RawBuilder<unknown> => sql`
  select c.id, c.kind, c.status, c.preview, c.last_direction, c.last_at, c.last_received_at, c.unanswered, c.waiting_since, c.held, c.follow_up_on::text as follow_up_on,
    c.sentiment, c.rating, c.version, ${isUnread(c)} as unread, ${notesOf(c)} as notes, ${lastAuthor} as last_author,
    (select min(r.state) from reply r where r.org_id = c.org_id and r.conversation_id = c.id and ${isUnsent}) as unsent, ${personColumn},
    ch.id as channel_id, ch.name as channel_name, ch.handle as channel_handle, ch.platform, ${channelPicture('ch')} as channel_picture, ch.simulated,
    a.id as assignee_id, trim(a.first_name || ' ' || a.last_name) as assignee_name, a.picture_id as assignee_picture,
    (select coalesce(json_agg(json_build_object('labelId', l.id, 'labelName', l.name, 'color', l.color) order by lower(l.name), l.id), '[]')
      from conversation_label cl join label l on l.org_id = cl.org_id and l.id = cl.label_id where cl.org_id = c.org_id and cl.conversation_id = c.id) as labels
  from conversation c
  join channel ch on ch.org_id = c.org_id and ch.id = c.channel_id
  left join inbox_person p on p.org_id = c.org_id and p.id = c.person_id
  left join person a on a.id = c.assignee_id`

/** Conversations in their order, with the names of what they refer to, each once. */
export function presentConversations(
  c: Pick<InboxReader, 'org' | 'now'>,
  rows: readonly ConversationRow[],
  link: PictureLink,
): Named {
  const channels = collected<Named['channels'][number]>()
  const members = collected<Editor>()
  const labels = collected<Label>()
  const conversations = rows.map((row): Item => ({
    conversationId: row.id,
    kind: row.kind,
    status: row.status,
    channel: channels.place(row.channel_id, {
      channelId: row.channel_id,
      channelName: row.channel_name,
      handle: row.channel_handle,
      platformName: row.platform,
      profileUrl: row.channel_picture,
      simulated: row.simulated,
    }),
    person: presentPerson(c, row, link),
    preview: row.preview,
    lastDirection: row.last_direction,
    lastAuthor: row.last_author,
    lastAt: row.last_at.toISOString(),
    unanswered: row.unanswered,
    waitingSince: row.waiting_since?.toISOString() ?? null,
    held: row.held,
    unsent: row.unsent,
    unread: row.unread,
    notes: row.notes,
    followUpOn: row.follow_up_on,
    assignee:
      row.assignee_id === null
        ? null
        : members.place(row.assignee_id, {
            userId: row.assignee_id,
            name: row.assignee_name ?? '',
            profileUrl: pictureAddress(row.assignee_picture),
          }),
    labels: row.labels.map((label) => labels.place(label.labelId, label)),
    sentiment: row.sentiment,
    answerUntil: answerUntil(row.platform, row.kind, row.last_received_at)?.toISOString() ?? null,
    rating: row.rating,
    version: row.version,
    hit: row.hit ?? null,
  }))
  return { conversations, channels: channels.all, members: members.all, labels: labels.all }
}

/** Someone on the platform; their picture through our own server. What isn't an address of the web is left out. */
export function presentPerson(
  { org, now }: Pick<InboxReader, 'org' | 'now'>,
  { person }: PersonColumns,
  link: PictureLink,
): InboxPerson | null {
  return (
    person && {
      name: person.name,
      handle: person.handle,
      pictureUrl: link(org.orgId, person.pictureUrl, now),
      url: webAddress(person.url),
    }
  )
}

/** The address where it is one of the web, else null: it becomes a link. */
export const webAddress = (url: string | null): string | null => WebAddress.safeParse(url).data ?? null

/** Things that are named once and referred to by their place. */
function collected<T>() {
  const all: T[] = []
  const places = new Map<string, number>()
  return {
    all,
    place(id: string, thing: T): number {
      const known = places.get(id)
      if (known !== undefined) return known
      places.set(id, all.length)
      return all.push(thing) - 1
    },
  }
}
