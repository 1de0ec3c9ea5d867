import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Action } from '#contract/permissions.ts'
import { InboxMedia, type getConversation, type InboxItem } from '#contract/inbox/conversations.ts'
import type { Direction, EntityType, ReactionKind, ReplyState } from '#contract/inbox/terms.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { PostFailure } from '#contract/postLists.ts'
import type { PictureLink } from '../channels/foreignPictures.ts'
import { pictureAddress } from '../people/person.ts'
import { mayOn, type InboxReader } from './access.ts'
import { personColumn, presentPerson, webAddress, type ConversationRow, type PersonColumns } from './present.ts'

type ReplyFiles = NonNullable<InboxItem['reply']>['files']
type Of = Pick<ConversationRow, 'id' | 'kind' | 'platform'>

type ItemRow = PersonColumns & {
  id: string
  type: EntityType
  direction: z.output<typeof Direction>
  text: string | null
  warning: string | null
  expired: boolean
  rating: number | null
  media: unknown
  parent_id: string | null
  at: Date
  edited_at: Date | null
  deleted_at: Date | null
  hidden: boolean
  held: boolean
  reaction: ReactionKind | null
  url: string | null
  reply: { id: string; state: ReplyState; failure: unknown; itemId: string | null; files: ReplyFiles } | null
  member: { id: string; name: string; pictureId: string | null } | null
}

type Page = z.output<(typeof getConversation)['query']>

/** The items of a page, oldest first. Replies that the platform hasn't told of yet stand at the end of the latest ones. */
export async function readItems(
  c: InboxReader,
  row: Of,
  page: Page,
  link: PictureLink,
): Promise<{ items: InboxItem[]; more: boolean; later: boolean }> {
  const { rows, more, later } = await readPage(c, row, page)
  // the latest ones were read
  const replies = later || page.before !== undefined ? [] : await readReplies(c, row)
  const shown = [...rows, ...replies]
  return { items: shown.map((item, place) => presentItem(c, row, item, shown[place - 1]?.id, link)), more, later }
}

/** The rows of a page, oldest first, and whether there are others before and after them. */
async function readPage(
  c: InboxReader,
  row: Of,
  { before, after, around, limit }: Page,
): Promise<{ rows: ItemRow[]; more: boolean; later: boolean }> {
  const named = before ?? after ?? around
  if (named === undefined) return { ...(await readBack(c, row, sql``, limit)), later: false }
  const at = sql`(select b.at, b.id from inbox_item b where b.org_id = ${c.org.orgId} and b.conversation_id = ${row.id} and b.id = ${named})`
  if (before !== undefined) return { ...(await readBack(c, row, sql` and (i.at, i.id) < ${at}`, limit)), later: true }
  const half = around === undefined ? 0 : Math.ceil(limit / 2)
  const [back, ahead] = await Promise.all([
    half === 0 ? { rows: [], more: true } : readBack(c, row, sql` and (i.at, i.id) <= ${at}`, half),
    readRows(c, row, sql` and (i.at, i.id) > ${at} order by i.at, i.id limit ${limit - half + 1}`),
  ])
  return { rows: [...back.rows, ...ahead.slice(0, limit - half)], more: back.more, later: ahead.length > limit - half }
}

async function readBack(c: InboxReader, row: Of, which: RawBuilder<unknown>, limit: number) {
  const rows = await readRows(c, row, sql`${which} order by i.at desc, i.id desc limit ${limit + 1}`)
  return { rows: rows.slice(0, limit).toReversed(), more: rows.length > limit }
}

/** The files of `r` in their order; those that are gone are left out. */
const filesOfReply = sql`(
  select coalesce(json_agg(json_build_object('assetId', f.id, 'fileName', f.file_name, 'contentType', f.content_type, 'bytes', f.bytes, 'width', f.width, 'height', f.height,
    'altText', coalesce(r.alt_texts ->> f.id::text, f.alt_text)) order by u.place), '[]')
  from unnest(r.asset_ids) with ordinality u (id, place) join asset f on f.org_id = r.org_id and f.id = u.id)`
/** Those that were sent with `i`, until the platform tells of its own pictures: some readings never do. */
const filesOfItem = sql`case when i.media = '[]' and i.deleted_at is null then ${filesOfReply} else '[]' end`
const ofReply = (
  files: RawBuilder<unknown>,
) => sql`case when r.id is not null then json_build_object('id', r.id, 'state', r.state, 'failure', r.failure, 'itemId', r.item_id, 'files', ${files}) end as reply,
  case when a.id is not null then json_build_object('id', a.id, 'name', trim(a.first_name || ' ' || a.last_name), 'pictureId', a.picture_id) end as member`

async function readRows({ tx, org }: InboxReader, { id }: Of, which: RawBuilder<unknown>): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select i.id, i.type, i.direction, i.text, i.warning, i.expired, i.rating, i.media, up.id as parent_id, i.at, i.edited_at, i.deleted_at, i.hidden, i.held, i.reaction, i.url, ${personColumn}, ${ofReply(filesOfItem)}
    from inbox_item i
    left join inbox_person p on p.org_id = i.org_id and p.id = i.person_id
    left join inbox_item up on up.org_id = i.org_id and up.channel_id = i.channel_id and up.remote_id = i.parent_remote_id and up.conversation_id = i.conversation_id
    left join reply r on r.org_id = i.org_id and r.channel_id = i.channel_id and r.remote_id = i.remote_id
    left join person a on a.id = r.author_id
    where i.org_id = ${org.orgId} and i.conversation_id = ${id}${which}`.execute(tx)
  return rows
}

/** What was written from here and isn't among the items, oldest first. */
async function readReplies({ tx, org }: InboxReader, { id, kind }: Of): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select r.id, case ${kind}::text when 'message' then 'DIRECT_MESSAGE' else 'REPLY' end as type, 'sent' as direction, r.text, null as warning, false as expired, null as rating, '[]'::json as media,
      r.item_id as parent_id, coalesce(r.sent_at, r.created_at) as at, null as edited_at, null as deleted_at, false as hidden, false as held, null as reaction, null as url, null as person, ${ofReply(filesOfReply)}
    from reply r join person a on a.id = r.author_id
    where r.org_id = ${org.orgId} and r.conversation_id = ${id} and r.state not in ('CANCELLED', 'DELETED')
      and not exists (select from inbox_item i where i.org_id = r.org_id and i.channel_id = r.channel_id and i.remote_id = r.remote_id)
    order by r.created_at, r.id`.execute(tx)
  return rows
}

/** A reply in one of these states wasn't sent, and isn't being sent at this moment. */
const withdrawable: readonly ReplyState[] = ['PENDING', 'FAILED']

function presentItem(
  c: InboxReader,
  row: Of,
  item: ItemRow,
  beforeId: string | undefined,
  link: PictureLink,
): InboxItem {
  const rules = inboxRules[row.platform].kinds[row.kind]
  const may = (action: Action) => mayOn(c.project, row.kind, action)
  const isThere = item.deleted_at === null && (item.reply === null || item.reply.state === 'SENT')
  const isOurs = item.direction === 'sent'
  const hide = isThere && !isOurs && may('edit') && (rules?.hide ?? false)
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
    warning: item.warning,
    expired: item.expired,
    rating: item.rating,
    media: mediaOf(c, item.media, link),
    parentId: item.parent_id === beforeId ? null : item.parent_id,
    at: item.at.toISOString(),
    editedAt: item.edited_at?.toISOString() ?? null,
    deletedAt: item.deleted_at?.toISOString() ?? null,
    hidden: item.hidden,
    held: item.held,
    reaction: item.reaction,
    url: webAddress(item.url),
    reply: item.reply && {
      replyId: item.reply.id,
      state: item.reply.state,
      failure: PostFailure.nullable().catch(null).parse(item.reply.failure),
      itemId: item.reply.itemId,
      files: item.reply.files,
    },
    can: {
      react: isThere && !isOurs && may('edit') ? [...(rules?.reactions ?? [])] : [],
      hide,
      approve: item.held && hide,
      delete:
        item.reply !== null && withdrawable.includes(item.reply.state)
          ? may('create')
          : isThere && may('delete') && ((isOurs ? rules?.reply?.delete : rules?.delete) ?? false),
      edit: isThere && isOurs && item.reply !== null && may('create') && (rules?.reply?.edit ?? false),
      retry: item.reply?.state === 'FAILED' && may('create'),
      confirm: item.reply?.state === 'UNCONFIRMED' && may('create'),
    },
  }
}

/** Links as they are, pictures through our server, as small squares. Other files are seen on the platform. */
const mediaOf = ({ org, now }: InboxReader, stored: unknown, link: PictureLink): InboxItem['media'] =>
  InboxMedia.array()
    .catch([])
    .parse(stored)
    .map((media) => {
      const { kind, url } = media
      return {
        ...media,
        url: kind === 'link' ? webAddress(url) : kind === 'image' ? link(org.orgId, url, now) : null,
      }
    })
