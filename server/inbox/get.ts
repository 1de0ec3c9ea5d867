import { sql } from 'kysely'
import { z } from 'zod'
import type { Action } from '#contract/permissions.ts'
import { InboxMedia, type getConversation as contract, type InboxItem } from '#contract/inbox/conversations.ts'
import type { Direction, EntityType, ReactionKind, ReplyState } from '#contract/inbox/terms.ts'
import { inboxRules, whyNotDone } from '#contract/platforms/inboxRegistry.ts'
import { PostFailure } from '#contract/postLists.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import { fail } from '../errors.ts'
import { pictureAddress } from '../identity/person.ts'
import { othersAt } from '../presence/presence.ts'
import { mayOn, reachable, type InboxReader } from './access.ts'
import { answerUntil, byPersonFrom } from './answering.ts'
import {
  personColumn,
  presentConversations,
  presentPerson,
  selectConversations,
  webAddress,
  type ConversationRow,
  type PersonColumns,
} from './present.ts'

type Reply = ReplyOf<typeof contract>

/** What the platform told of the post that a conversation is about (`RemoteSubject`), as far as it's shown. */
const StoredSubject = z.object({
  text: z.string(),
  at: z.string().nullable(),
  url: z.string().nullable(),
  person: z
    .object({ name: z.string(), handle: z.string(), pictureUrl: z.string().nullable(), url: z.string().nullable() })
    .nullable(),
})

type Opened = ConversationRow & {
  person_id: string | null
  post_id: string | null
  subject: unknown
  channel_status: string
}

/**
 * A conversation with its latest items, or those before `before`, what it is about, and what the caller can do with it.
 * Throws NOT_FOUND. Before an item of another conversation there is nothing.
 */
export async function getConversation(
  c: InboxReader,
  conversationId: string,
  page: z.output<(typeof contract)['query']>,
  link: PictureLink,
): Promise<Reply> {
  const { rows } = await sql<Opened>`
    select shown.*, c.person_id, c.post_id, c.subject, (select status from channel where org_id = c.org_id and id = c.channel_id) as channel_status
    from conversation c join lateral (${selectConversations(c)} where c.org_id = ${c.org.orgId} and c.id = ${conversationId}) shown on true
    where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.id = ${conversationId} and ${reachable(c)}`.execute(
    c.tx,
  )
  const [row] = rows
  if (!row) throw fail('NOT_FOUND')
  const { conversations, ...names } = presentConversations(c, [row], link)
  const [conversation] = conversations
  if (!conversation) throw new Error('a conversation was not presented')
  const [{ items, more }, earlier, answering] = await Promise.all([
    readItems(c, row, page, link),
    readEarlier(c, row),
    othersAt(c, { kind: 'conversation', id: row.id }),
  ])
  return {
    ...names,
    conversation,
    subject: subjectOf(c, row, link),
    items,
    more,
    earlier,
    can: possibilities(c, row),
    answering,
  }
}

type ItemRow = PersonColumns & {
  id: string
  type: EntityType
  direction: z.output<typeof Direction>
  text: string | null
  expired: boolean
  rating: number | null
  media: unknown
  parent_id: string | null
  at: Date
  edited_at: Date | null
  deleted_at: Date | null
  hidden: boolean
  reaction: ReactionKind | null
  url: string | null
  reply: { id: string; state: ReplyState; failure: unknown } | null
  member: { id: string; name: string; pictureId: string | null } | null
}

/** The items of a page, oldest first. Replies that the platform hasn't told of yet stand at the end of the latest ones. */
async function readItems(
  c: InboxReader,
  row: Opened,
  { before, limit }: z.output<(typeof contract)['query']>,
  link: PictureLink,
): Promise<{ items: InboxItem[]; more: boolean }> {
  const ofReply = sql`case when r.id is not null then json_build_object('id', r.id, 'state', r.state, 'failure', r.failure) end as reply,
    case when a.id is not null then json_build_object('id', a.id, 'name', trim(a.first_name || ' ' || a.last_name), 'pictureId', a.picture_id) end as member`
  const { rows } = await sql<ItemRow>`
    select i.id, i.type, i.direction, i.text, i.expired, i.rating, i.media, up.id as parent_id, i.at, i.edited_at, i.deleted_at, i.hidden, i.reaction, i.url, ${personColumn}, ${ofReply}
    from inbox_item i
    left join inbox_person p on p.org_id = i.org_id and p.id = i.person_id
    left join inbox_item up on up.org_id = i.org_id and up.channel_id = i.channel_id and up.remote_id = i.parent_remote_id and up.conversation_id = i.conversation_id
    left join reply r on r.org_id = i.org_id and r.channel_id = i.channel_id and r.remote_id = i.remote_id
    left join person a on a.id = r.author_id
    where i.org_id = ${c.org.orgId} and i.conversation_id = ${row.id}${
      before
        ? sql` and (i.at, i.id) < (select b.at, b.id from inbox_item b where b.org_id = ${c.org.orgId} and b.conversation_id = ${row.id} and b.id = ${before})`
        : sql``
    }
    order by i.at desc, i.id desc limit ${limit + 1}`.execute(c.tx)
  const waiting = before
    ? []
    : (
        await sql<ItemRow>`
          select r.id, case ${row.kind}::text when 'message' then 'DIRECT_MESSAGE' else 'REPLY' end as type, 'sent' as direction, r.text, false as expired, null as rating, '[]'::json as media,
            r.item_id as parent_id, coalesce(r.sent_at, r.created_at) as at, null as edited_at, null as deleted_at, false as hidden, null as reaction, null as url, null as person, ${ofReply}
          from reply r join person a on a.id = r.author_id
          where r.org_id = ${c.org.orgId} and r.conversation_id = ${row.id} and r.state not in ('CANCELLED', 'DELETED')
            and not exists (select from inbox_item i where i.org_id = r.org_id and i.channel_id = r.channel_id and i.remote_id = r.remote_id)
          order by r.created_at, r.id`.execute(c.tx)
      ).rows
  const shown = [...rows.slice(0, limit).toReversed(), ...waiting]
  return {
    items: shown.map((item, place) => presentItem(c, row, item, shown[place - 1]?.id, link)),
    more: rows.length > limit,
  }
}

function presentItem(
  c: InboxReader,
  row: Opened,
  item: ItemRow,
  beforeId: string | undefined,
  link: PictureLink,
): InboxItem {
  const rules = inboxRules[row.platform].kinds[row.kind]
  const may = (action: Action) => mayOn(c.project, row.kind, action)
  const isThere = item.deleted_at === null && (item.reply === null || item.reply.state === 'SENT')
  const isOurs = item.direction === 'sent'
  return {
    itemId: item.id,
    type: item.type,
    direction: item.direction,
    person: presentPerson(c, item, link),
    member: item.member && {
      userId: item.member.id,
      name: item.member.name,
      profileUrl: pictureAddress(item.member.pictureId),
    },
    text: item.text,
    expired: item.expired,
    rating: item.rating,
    media: mediaOf(item.media),
    parentId: item.parent_id === beforeId ? null : item.parent_id,
    at: item.at.toISOString(),
    editedAt: item.edited_at?.toISOString() ?? null,
    deletedAt: item.deleted_at?.toISOString() ?? null,
    hidden: item.hidden,
    reaction: item.reaction,
    url: webAddress(item.url),
    reply: item.reply && {
      replyId: item.reply.id,
      state: item.reply.state,
      failure: PostFailure.nullable().catch(null).parse(item.reply.failure),
    },
    can: {
      react: isThere && !isOurs && may('edit') ? [...(rules?.reactions ?? [])] : [],
      hide: isThere && !isOurs && may('edit') && (rules?.hide ?? false),
      delete: isThere && may('delete') && ((isOurs ? rules?.reply?.delete : rules?.delete) ?? false),
      edit: isThere && isOurs && item.reply !== null && may('create') && (rules?.reply?.edit ?? false),
    },
  }
}

/** Links as they are; files aren't fetched from platforms by whoever looks. */
const mediaOf = (stored: unknown): InboxItem['media'] =>
  InboxMedia.array()
    .catch([])
    .parse(stored)
    .map((media) => ({ ...media, url: media.kind === 'link' ? webAddress(media.url) : null }))

function subjectOf(c: InboxReader, row: Opened, link: PictureLink): Reply['subject'] {
  const stored = StoredSubject.nullable().catch(null).parse(row.subject)
  if (row.post_id === null && stored === null) return null
  return {
    postId: row.post_id,
    text: stored?.text ?? '',
    at: stored?.at ?? null,
    url: webAddress(stored?.url ?? null),
    person: presentPerson(c, { person: stored?.person ?? null }, link),
  }
}

/** Other conversations of the same person that the caller sees. */
async function readEarlier(c: InboxReader, { id, person_id: personId }: Opened): Promise<Reply['earlier']> {
  if (personId === null) return []
  const { rows } = await sql<{ id: string; kind: Reply['earlier'][number]['kind']; preview: string; last_at: Date }>`
    select c.id, c.kind, c.preview, c.last_at from conversation c
    where c.org_id = ${c.org.orgId} and c.project_id = ${c.project.projectId} and c.person_id = ${personId} and c.id <> ${id} and ${reachable(c)}
    order by c.last_at desc, c.id desc limit 10`.execute(c.tx)
  return rows.map((row) => ({
    conversationId: row.id,
    kind: row.kind,
    preview: row.preview,
    lastAt: row.last_at.toISOString(),
  }))
}

const NO_RIGHT = "Your role doesn't allow this. Ask a project admin."
const WINDOW_OVER = "The platform doesn't accept an answer this long after the last message."
const SIGNED_OUT = 'The channel is signed out of the platform. Reconnect it first.'

/** What the caller can do with the conversation now: by their role, by the platform, by its window, and by the channel's sign-in. */
function possibilities({ project, now }: InboxReader, row: Opened): Reply['can'] {
  const { platform, kind } = row
  const until = answerUntil(platform, kind, row.last_received_at)
  const reply = inboxRules[platform].kinds[kind]?.reply
  const possible = (what: 'reply' | 'react' | 'hide' | 'delete', action: Action, more: string | null = null) => {
    const isHeld = mayOn(project, kind, action)
    const isOffered = whatRulesOffer(row)[what]
    const reason = isOffered
      ? isHeld
        ? row.channel_status === 'CONNECTED'
          ? more
          : SIGNED_OUT
        : NO_RIGHT
      : whyNotDone(platform, kind, what)
    return { possible: isOffered && reason === null, reason }
  }
  return {
    reply: {
      ...possible('reply', 'create', until && until <= now ? WINDOW_OVER : null),
      most: reply?.limit.max ?? null,
      unit: reply?.limit.unit ?? null,
      pictures: reply?.pictures ?? 0,
      asPersonFrom: byPersonFrom(platform, kind, row.last_received_at)?.toISOString() ?? null,
      price: reply?.price ?? null,
    },
    react: possible('react', 'edit'),
    hide: possible('hide', 'edit'),
    delete: possible('delete', 'delete'),
  }
}

function whatRulesOffer({ platform, kind }: Pick<Opened, 'platform' | 'kind'>) {
  const rules = inboxRules[platform].kinds[kind]
  return {
    reply: rules !== undefined && rules.reply !== null,
    react: (rules?.reactions.length ?? 0) > 0,
    hide: rules?.hide ?? false,
    delete: rules?.delete ?? false,
  }
}
