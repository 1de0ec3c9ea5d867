import { sql } from 'kysely'
import type { z } from 'zod'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { retryReply as retryContract, sendReply as contract } from '#contract/inbox/replies.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { fail } from '../../errors.ts'
import type { DetachedContext, ProjectContext } from '../../http/route.ts'
import { dedupeKeys } from '../../notifications/dedupeKeys.ts'
import { withdrawNotifications } from '../../notifications/dismiss.ts'
import { notePresence } from '../../presence/presence.ts'
import { loadConversation, type ConversationRecord } from '../access.ts'
import { loadReply, presentReply } from './access.ts'
import { answeredBy, mustFit, mustTakeAnother, mustTakeReplies, writableChannel, writtenIn } from './checks.ts'
import { reserveReply, sendNow, type ReplyDeps, type Reserved } from './deliver.ts'

type Send = DetachedContext<typeof contract>
type Wish = z.output<(typeof contract)['body']>

/**
 * Sends a reply, and waits for the platform. The same `replyId` again answers what became of it. Throws as loadConversation
 * with the right to reply, BAD_INPUT at `replyId`, `text`, `assetIds` or `itemId`, REPLY_REFUSED where the platform, the
 * channel or the moment doesn't take it, and PLAN_LIMIT.
 */
export async function sendReply(c: Send, deps: ReplyDeps): Promise<ReplyOf<typeof contract>> {
  const { replyId } = c.body
  const reserved = await c.inTenant((t) => begin(t, deps, c.params.conversationId, c.body))
  if (reserved) await sendNow(c, deps, reserved)
  return await c.inTenant((t) => presentReply(t, replyId))
}

/** Stores the reply with its delivery; undefined where it's stored already. */
async function begin(
  t: ProjectContext,
  deps: ReplyDeps,
  conversationId: string,
  wish: Wish,
): Promise<Reserved | undefined> {
  const conversation = await loadConversation(t, conversationId, undefined, 'create')
  if (await isKnown(t, conversationId, wish.replyId)) {
    await t.audit([])
    return undefined
  }
  if (wish.version !== undefined && wish.version !== conversation.version)
    throw fail('STALE_VERSION', { meta: { version: conversation.version } })
  const channel = await writableChannel(t, conversation)
  const key = PlatformKey.parse(channel.platform)
  const { rules, replies } = mustTakeReplies(conversation, key, deps.platforms, t.now)
  const item = await answeredItem(t, conversation, wish.itemId)
  await mustFit(
    t,
    channel,
    key,
    rules,
    { ...wish, kind: conversation.kind },
    await answeredBy(t, conversation, item?.id ?? null),
  )
  if (rules.mostPerItem !== undefined && item) await mustTakeAnother(t, key, item.id, rules.mostPerItem)
  const { replyId, text, assetIds, altTexts, responseId, close } = wish
  const { orgId } = t.org
  await t.tx
    .insertInto('reply')
    .values({
      org_id: orgId,
      id: replyId,
      conversation_id: conversationId,
      channel_id: channel.id,
      item_id: item?.id ?? null,
      author_id: t.caller.personId,
      text,
      asset_ids: assetIds,
      alt_texts: JSON.stringify(altTexts),
      response_id: responseId ?? null,
      closes: close ?? null,
      created_at: t.now,
    })
    .execute()
  await noteAnswered(t, conversation, responseId)
  const platform = deps.platforms(key)
  if (!platform) throw new Error(`an adapter of ${key} was there a moment ago`)
  const sendKey = replies.chooseSendKey(t.now)
  return await reserveReply(t, { replyId, sendKey, hasFiles: assetIds.length > 0 }, channel, platform)
}

/** Whether the reply was stored before. Throws BAD_INPUT for the id of a reply elsewhere. */
async function isKnown({ tx, org }: ProjectContext, conversationId: string, replyId: string): Promise<boolean> {
  const known = await tx
    .selectFrom('reply')
    .select('conversation_id')
    .where('org_id', '=', org.orgId)
    .where('id', '=', replyId)
    .executeTakeFirst()
  if (known && known.conversation_id !== conversationId)
    throw fail('BAD_INPUT', { errors: { replyId: ['Another reply has this ID'] } })
  return known !== undefined
}

/** What the reply answers. Throws BAD_INPUT at `itemId` for what isn't there. */
async function answeredItem(
  { tx, org }: ProjectContext,
  { id, kind }: ConversationRecord,
  itemId: string | undefined,
): Promise<{ id: string } | undefined> {
  // a message goes into its conversation as such
  if (itemId === undefined && kind === 'message') return undefined
  const { rows } = await sql<{ id: string }>`
    select i.id from inbox_item i
    where i.org_id = ${org.orgId} and i.conversation_id = ${id} and i.deleted_at is null and ${itemId === undefined ? sql`i.direction = 'received'` : sql`i.id = ${itemId}`}
    order by i.at desc, i.id desc limit 1`.execute(tx)
  const [item] = rows
  if (itemId !== undefined && !item)
    throw fail('BAD_INPUT', { errors: { itemId: ["This isn't in the conversation anymore"] } })
  return item
}

/** The conversation belongs to who answers it, unless it's someone's already; they have stopped writing; their response was used. */
async function noteAnswered(
  t: ProjectContext,
  { id }: ConversationRecord,
  responseId: string | undefined,
): Promise<void> {
  await t.tx
    .updateTable('conversation')
    .set({ assignee_id: sql`coalesce(assignee_id, ${t.caller.personId})`, version: sql`version + 1` })
    .where('org_id', '=', t.org.orgId)
    .where('id', '=', id)
    .execute()
  if (responseId !== undefined)
    await t.tx
      .updateTable('canned_response')
      .set({ used: sql`used + 1` })
      .where('org_id', '=', t.org.orgId)
      .where('project_id', '=', t.project.projectId)
      .where('id', '=', responseId)
      .execute()
  if (await notePresence(t, { kind: 'conversation', id }, false)) await t.emit({ kind: 'presence', ref: id })
  await t.emit({ kind: 'conversation', ref: id })
  await t.audit({ entityId: id })
}

/** Sends a failed reply again, as it was written. Throws as loadReply, REPLY_LOCKED unless it failed, and as sending does. */
export async function retryReply(
  c: DetachedContext<typeof retryContract>,
  deps: ReplyDeps,
): Promise<ReplyOf<typeof retryContract>> {
  const { replyId } = c.params
  const reserved = await c.inTenant(async (t) => {
    const { reply, conversation } = await loadReply(t, replyId, 'create')
    if (reply.state !== 'FAILED') throw fail('REPLY_LOCKED')
    const channel = await writableChannel(t, conversation)
    const key = PlatformKey.parse(channel.platform)
    const { rules, replies } = mustTakeReplies(conversation, key, deps.platforms, t.now)
    const answered = await answeredBy(t, conversation, reply.item_id)
    await mustFit(t, channel, key, rules, writtenIn(reply, conversation), answered)
    if (rules.mostPerItem !== undefined && reply.item_id !== null)
      await mustTakeAnother(t, key, reply.item_id, rules.mostPerItem)
    const platform = deps.platforms(key)
    if (!platform) throw new Error(`an adapter of ${key} was there a moment ago`)
    const before = await t.tx
      .selectFrom('delivery')
      .select('send_key')
      .where('org_id', '=', t.org.orgId)
      .where('subject', '=', 'reply')
      .where('subject_id', '=', replyId)
      .executeTakeFirst()
    await t.tx
      .updateTable('reply')
      .set({ state: 'PENDING', failure: null })
      .where('org_id', '=', t.org.orgId)
      .where('id', '=', replyId)
      .execute()
    await withdrawNotifications(t.tx, { orgId: t.org.orgId, dedupeKeys: [dedupeKeys.reply(replyId)] }, t.now)
    await t.emit({ kind: 'conversation', ref: conversation.id })
    await t.audit({ entityId: replyId })
    const sendKey = before?.send_key ?? replies.chooseSendKey(t.now)
    return await reserveReply(t, { replyId, sendKey, hasFiles: reply.asset_ids.length > 0 }, channel, platform)
  })
  await sendNow(c, deps, reserved)
  return await c.inTenant((t) => presentReply(t, replyId))
}
