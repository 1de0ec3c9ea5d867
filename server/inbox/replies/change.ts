import type { ReplyOf } from '#contract/endpoint.ts'
import { because, type Reason } from '#contract/failures/catalog.ts'
import type * as contract from '#contract/inbox/replies.ts'
import { EntityType } from '#contract/inbox/terms.ts'
import { canBeDone, inboxRules, whyNotDone, type InboxAction } from '#contract/platforms/inboxRegistry.ts'
import { answeredAgain } from '#contract/platforms/replyText.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Action } from '#contract/permissions.ts'
import { refusedConnection } from '../../delivery/ask.ts'
import { deliverNow, reserve, withdraw } from '../../delivery/attended.ts'
import { pause } from '../../delivery/backoff.ts'
import type { Wanted } from '../../delivery/claim.ts'
import type { Subject } from '../../delivery/subject.ts'
import { fail } from '../../errors.ts'
import type { DetachedContext, ProjectContext } from '../../http/route.ts'
import { createNotification } from '../../notifications/create.ts'
import { dedupeKeys } from '../../notifications/dedupeKeys.ts'
import { withdrawNotifications } from '../../notifications/dismiss.ts'
import { findConversation, mayOn } from '../access.ts'
import { loadReply, presentReply } from './access.ts'
import {
  changeOfItem,
  changeOfReply,
  itemChangeSubject,
  replyChangeSubject,
  type ItemChange,
  type ReplyChange,
} from './changeSubjects.ts'
import { answeredBy, mustFit, refusal, writableChannel, writtenIn } from './checks.ts'
import { endDelivery } from './confirm.ts'
import type { ReplyDeps } from './deliver.ts'

const NOT_FROM_HERE = "This can't be done from here yet. Do it on the platform."
const GONE = "This isn't on the platform anymore."

/** A change's requests end within this many milliseconds. */
const CHANGE_MS = 30_000
/** How long a change waits for another one of the same thing, and how often it looks, in milliseconds. */
const PATIENCE_MS = 10_000
const LOOK_MS = 100

/** Changes what a reply says, on the platform and then here. Throws as loadReply, and REPLY_REFUSED where the platform doesn't take it. */
export async function editReply(
  c: DetachedContext<typeof contract.editReply>,
  deps: ReplyDeps,
): Promise<ReplyOf<typeof contract.editReply>> {
  const { replyId } = c.params
  const change: ReplyChange = { to: 'edit', text: c.body.text }
  await makeChange(c, deps, replyChangeSubject, async (t) => {
    const { reply, conversation } = await loadReply(t, replyId, 'create')
    if (reply.state !== 'SENT') throw fail('REPLY_LOCKED')
    const channel = await writableChannel(t, conversation)
    const platform = PlatformKey.parse(channel.platform)
    const rules = inboxRules[platform].kinds[conversation.kind]?.reply
    if (!rules?.edit) throw refusal("The platform doesn't let replies be edited. Delete it and write another one.")
    const answered = answeredAgain(await answeredBy(t, conversation, reply.item_id), reply.text)
    await mustFit(t, channel, platform, rules, { ...writtenIn(reply, conversation), text: c.body.text }, answered)
    if (reply.remote_id === null || !changeOfReply(deps.platforms(platform)?.inbox, reply.remote_id, change))
      throw refusal(NOT_FROM_HERE)
    return { channelId: channel.id, subjectId: replyId, change }
  })
  return await c.inTenant(async (t) => {
    await t.audit({ entityId: replyId })
    return await presentReply(t, replyId, 'Reply updated')
  })
}

/**
 * Withdraws a reply that wasn't sent, or deletes a sent one on the platform and then here. Throws as loadReply, REPLY_LOCKED
 * while it's being sent or unconfirmed, and REPLY_REFUSED where the platform doesn't delete it.
 */
export async function deleteReply(
  c: DetachedContext<typeof contract.deleteReply>,
  deps: ReplyDeps,
): Promise<ReplyOf<typeof contract.deleteReply>> {
  const { replyId } = c.params
  if (await c.inTenant((t) => withdrawReply(t, replyId))) return await c.inTenant((t) => presentReply(t, replyId))
  const change: ReplyChange = { to: 'delete' }
  await makeChange(c, deps, replyChangeSubject, async (t) => {
    const { reply, conversation } = await loadReply(t, replyId, 'delete')
    if (reply.state !== 'SENT') throw fail('REPLY_LOCKED')
    const channel = await writableChannel(t, conversation)
    const platform = PlatformKey.parse(channel.platform)
    if (!inboxRules[platform].kinds[conversation.kind]?.reply?.delete)
      throw refusal("The platform doesn't let replies be deleted from here. Delete it there.")
    if (reply.remote_id === null || !changeOfReply(deps.platforms(platform)?.inbox, reply.remote_id, change))
      throw refusal(NOT_FROM_HERE)
    return { channelId: channel.id, subjectId: replyId, change }
  })
  return await c.inTenant(async (t) => {
    await t.audit({ entityId: replyId })
    return await presentReply(t, replyId)
  })
}

/** Whether there was nothing to delete on the platform. */
async function withdrawReply(t: ProjectContext, replyId: string): Promise<boolean> {
  const { reply } = await loadReply(t, replyId, 'view')
  if (reply.state === 'CANCELLED' || reply.state === 'DELETED') {
    await t.audit([])
    return true
  }
  if (reply.state !== 'PENDING' && reply.state !== 'FAILED') {
    await t.audit([])
    return false
  }
  await loadReply(t, replyId, 'create')
  await endDelivery(t, replyId, 'failed')
  await t.tx
    .updateTable('reply')
    .set({ state: 'CANCELLED', failure: null })
    .where('org_id', '=', t.org.orgId)
    .where('id', '=', replyId)
    .execute()
  await withdrawNotifications(t.tx, { orgId: t.org.orgId, dedupeKeys: [dedupeKeys.reply(replyId)] }, t.now)
  await t.emit({ kind: 'conversation', ref: reply.conversation_id })
  await t.audit({ entityId: replyId, detail: { withdrawn: true } })
  return true
}

type OfConversation = { params: { conversationId: string } }

/** Hides what someone wrote, or shows it again. Throws as findConversation, FORBIDDEN, REPLY_REFUSED with the platform's sentence. */
export const hideItem = (c: DetachedContext<typeof contract.hideItem>, deps: ReplyDeps) =>
  changeItem(c, deps, c.body.itemId, { to: 'hide', hidden: c.body.hidden })

/** Reacts to what someone wrote, or takes the reaction back. Throws as hiding. */
export const reactToItem = (c: DetachedContext<typeof contract.reactToItem>, deps: ReplyDeps) =>
  changeItem(c, deps, c.body.itemId, { to: 'react', reaction: c.body.reaction })

/** Deletes what someone wrote. Throws as hiding. */
export const deleteItem = (c: DetachedContext<typeof contract.deleteItem>, deps: ReplyDeps) =>
  changeItem(c, deps, c.params.itemId, { to: 'delete' })

const ways: Record<ItemChange['to'], { what: InboxAction; right: Action; done: string }> = {
  react: { what: 'react', right: 'edit', done: 'Reaction updated' },
  hide: { what: 'hide', right: 'edit', done: 'Updated' },
  delete: { what: 'delete', right: 'delete', done: 'Deleted' },
}

async function changeItem(
  c: DetachedContext & OfConversation,
  deps: ReplyDeps,
  itemId: string,
  change: ItemChange,
): Promise<{ version: number; message: string }> {
  const { conversationId } = c.params
  await changeOne(c, deps, { conversationId, itemId }, change)
  return await c.inTenant(async (t) => {
    await t.audit({ entityId: change.to === 'delete' ? itemId : conversationId, detail: { itemId, ...change } })
    const { version } = await findConversation(t, conversationId)
    return { version, message: ways[change.to].done }
  })
}

/** Changes an item on the platform and then here, without an audit entry. Throws as hiding. */
export async function changeOne(
  c: DetachedContext,
  deps: ReplyDeps,
  { conversationId, itemId }: { conversationId: string; itemId: string },
  change: ItemChange,
): Promise<void> {
  const { what, right } = ways[change.to]
  await makeChange(c, deps, itemChangeSubject, async (t) => {
    const conversation = await findConversation(t, conversationId)
    const item = await t.tx
      .selectFrom('inbox_item')
      .select(['remote_id', 'type', 'direction', 'deleted_at'])
      .where('org_id', '=', t.org.orgId)
      .where('conversation_id', '=', conversationId)
      .where('id', '=', itemId)
      .executeTakeFirst()
    if (!item || item.direction === 'sent') throw fail('NOT_FOUND')
    if (!mayOn(t.project, conversation.kind, right)) throw fail('FORBIDDEN')
    const channel = await writableChannel(t, conversation)
    const platform = PlatformKey.parse(channel.platform)
    const isTaken =
      change.to !== 'react' ||
      change.reaction === null ||
      inboxRules[platform].kinds[conversation.kind]?.reactions.includes(change.reaction)
    if (!canBeDone(platform, conversation.kind, what) || !isTaken)
      throw refusal(whyNotDone(platform, conversation.kind, what) ?? NOT_FROM_HERE)
    // what is gone is deleted
    if (item.deleted_at !== null) {
      if (change.to === 'delete') return undefined
      throw refusal(GONE)
    }
    const at = { remote_id: item.remote_id, type: EntityType.parse(item.type), thread_key: conversation.thread_key }
    if (!changeOfItem(deps.platforms(platform)?.inbox, at, change)) throw refusal(NOT_FROM_HERE)
    return { channelId: channel.id, subjectId: itemId, change }
  })
}

type Begun = { channelId: string; subjectId: string; change: ReplyChange | ItemChange }

/**
 * Makes a change at the platform, and waits for it. Changes of one thing are made one after the other, so that the last
 * wish is what the platform has. What the platform didn't take is withdrawn. Throws what `check` throws, REPLY_LOCKED while
 * another change of the same thing takes too long, and CHANNEL_REFUSED or CHANNEL_UNREACHABLE with the platform's reason.
 */
async function makeChange(
  c: DetachedContext,
  deps: ReplyDeps,
  subject: Subject,
  check: (t: ProjectContext) => Promise<Begun | undefined>,
): Promise<void> {
  const reserveIt = () =>
    c.inTenant(async (t) => {
      const begun = await check(t)
      if (!begun) return 'done'
      const { channelId, subjectId, change } = begun
      const of = { orgId: t.org.orgId, channelId, subject: subject.kind, subjectId }
      return await reserve(t.tx, { ...of, details: change, sendKey: null, progress: {} }, t.now)
    })
  let wanted: Wanted | 'done' | undefined = await reserveIt()
  for (const end = deps.clock.monotonic() + PATIENCE_MS; !wanted && deps.clock.monotonic() < end;) {
    await pause(LOOK_MS)
    wanted = await reserveIt()
  }
  if (wanted === 'done') return
  if (!wanted) throw fail('REPLY_LOCKED', { detail: 'This is being changed on the platform. Try again in a moment.' })
  const crashed: Reason = because('inbox-change-crashed')
  const parts = { ...deps, media: async () => new Map(), notify: createNotification }
  const outcome = await deliverNow(parts, subject, wanted, { timeoutMs: CHANGE_MS, crashed })
  if (outcome.kind === 'sent') return
  await c.inTenant((t) => withdraw(t.tx, outcome.left))
  throw refusedConnection(outcome.refusal, 'edit')
}
