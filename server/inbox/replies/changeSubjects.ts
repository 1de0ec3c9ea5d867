import { sql } from 'kysely'
import { z } from 'zod'
import { because } from '#contract/failures/catalog.ts'
import { ReactionKind } from '#contract/inbox/terms.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import type { Tx } from '../../db/kysely.ts'
import type { Claimed } from '../../delivery/claim.ts'
import { failureOf } from '../../delivery/failures.ts'
import type { Operations, Subject } from '../../delivery/subject.ts'
import { emit } from '../../live/emit.ts'
import type { AccountRef, Reach, Refusal, Secret } from '../../platforms/calls.ts'
import type { Inbox } from '../../platforms/inbox.ts'
import { recount } from '../recount.ts'
import { applyChanges, lockInbox } from '../store.ts'
import { changeOf, type LoadedChange } from './loaded.ts'

/*
 * What is changed at the platform afterwards, as subjects of the delivery engine: a reply's text or its deletion; our reaction
 * to an item, whether it's hidden, its deletion. A request makes the change and waits. Each may be made twice with the
 * effect of once, so after a lost answer it's made again. Our rows change in the commit that records the platform's answer.
 */

const ReplyChange = z.discriminatedUnion('to', [
  z.object({ to: z.literal('edit'), text: z.string() }),
  z.object({ to: z.literal('delete') }),
])
export type ReplyChange = z.infer<typeof ReplyChange>
const ItemChange = z.discriminatedUnion('to', [
  z.object({ to: z.literal('react'), reaction: ReactionKind.nullable() }),
  z.object({ to: z.literal('hide'), hidden: z.boolean() }),
  z.object({ to: z.literal('delete') }),
])
export type ItemChange = z.infer<typeof ItemChange>

type Answer = { kind: 'edited'; remoteId: string } | { kind: 'removed' } | { kind: 'done' } | Refusal
/** Makes a change; undefined where the adapter can't. */
type Make = ((reach: Reach, secret: Secret, account: AccountRef) => Promise<Answer>) | undefined

/** The adapter's call for a change of a reply. */
export function changeOfReply(inbox: Inbox | undefined, remoteId: string, change: ReplyChange): Make {
  const { edit, remove } = inbox?.replies ?? {}
  if (change.to === 'edit')
    return edit && ((reach, secret, account) => edit(reach, secret, account, remoteId, change.text))
  return remove && ((reach, secret, account) => remove(reach, secret, account, remoteId))
}

/** The adapter's call for a change of what someone else wrote. */
export function changeOfItem(
  inbox: Inbox | undefined,
  { remote_id: remoteId, type, thread_key: threadKey }: Pick<LoadedChange, 'remote_id' | 'type' | 'thread_key'>,
  change: ItemChange,
): Make {
  if (remoteId === null || type === null) return undefined
  const item = { remoteId, type, threadKey }
  const { react, hide, remove } = inbox?.actions ?? {}
  if (change.to === 'react')
    return react && ((reach, secret, account) => react(reach, secret, account, item, change.reaction))
  if (change.to === 'hide')
    return hide && ((reach, secret, account) => hide(reach, secret, account, item, change.hidden))
  return remove && ((reach, secret, account) => remove(reach, secret, account, item))
}

const operationsOf = (remoteId: string, make: Make): Operations =>
  make
    ? {
        sendIsRepeatable: true,
        send: async ({ reach, secret, account }) => {
          const answer = await make(reach, secret, account)
          if (answer.kind === 'edited') return { kind: 'sent', remoteId: answer.remoteId, progress: {} }
          return answer.kind === 'removed' || answer.kind === 'done' ? { kind: 'sent', remoteId, progress: {} } : answer
        },
        reconcile: async () => ({ kind: 'absent' }),
      }
    : {}

const ofBoth: Pick<Subject, 'objection' | 'wasLost' | 'unconfirmed' | 'unresolved' | 'change'> = {
  objection: () => undefined,
  wasLost: () => false,
  unconfirmed: (_, reason) => failureOf('unknown', reason),
  unresolved: () => failureOf('unknown', because('inbox-change-unconfirmed')),
  change: () => ({}),
}

export const replyChangeSubject: Subject = {
  ...ofBoth,
  kind: 'reply-change',
  operations: async (claimed, { inbox }) => {
    const { remote_id: remoteId } = changeOf(claimed)
    return remoteId === null
      ? {}
      : operationsOf(remoteId, changeOfReply(inbox, remoteId, ReplyChange.parse(claimed.details)))
  },
  alongside: (claimed, { kind, remote_id: remoteId }, _notify, now) =>
    kind === 'delivered'
      ? (tx) => recordReplyChange(tx, claimed, ReplyChange.parse(claimed.details), remoteId, now)
      : undefined,
}

export const itemChangeSubject: Subject = {
  ...ofBoth,
  kind: 'item-change',
  operations: async (claimed, { inbox }) => {
    const loaded = changeOf(claimed)
    return operationsOf(loaded.remote_id ?? '', changeOfItem(inbox, loaded, ItemChange.parse(claimed.details)))
  },
  alongside: (claimed, { kind }, _notify, now) =>
    kind === 'delivered' ? (tx) => recordItemChange(tx, claimed, ItemChange.parse(claimed.details), now) : undefined,
}

async function recordReplyChange(
  tx: Tx,
  claimed: Claimed,
  change: ReplyChange,
  remoteId: string | undefined,
  now: Date,
): Promise<void> {
  const { org_id: orgId, channel_id: channelId, subject_id: replyId } = claimed
  const { remote_id: before } = changeOf(claimed)
  if (before === null) return
  if (change.to === 'delete') {
    await tx
      .updateTable('reply')
      .set({ state: 'DELETED' })
      .where('org_id', '=', orgId)
      .where('id', '=', replyId)
      .execute()
    return await deleteItem(tx, claimed, before, now)
  }
  const after = remoteId ?? before
  await tx
    .updateTable('reply')
    .set({ text: change.text, remote_id: after })
    .where('org_id', '=', orgId)
    .where('id', '=', replyId)
    .execute()
  await lockInbox(tx, channelId)
  // the reading brings the platform's own version of it, which wins
  await sql`
    update inbox_item i set text = ${change.text}, edited_at = ${now}, remote_id = ${after}
    where i.org_id = ${orgId} and i.channel_id = ${channelId} and i.remote_id = ${before} and i.deleted_at is null
      and (${after} = ${before} or not exists (select from inbox_item o where o.org_id = ${orgId} and o.channel_id = ${channelId} and o.remote_id = ${after}))`.execute(
    tx,
  )
  await tellChanged(tx, claimed, now)
}

async function recordItemChange(tx: Tx, claimed: Claimed, change: ItemChange, now: Date): Promise<void> {
  const { org_id: orgId, channel_id: channelId, subject_id: itemId } = claimed
  const { remote_id: remoteId, kind } = changeOf(claimed)
  if (change.to === 'delete') return remoteId === null ? undefined : await deleteItem(tx, claimed, remoteId, now)
  await lockInbox(tx, channelId)
  const hiddenAs = (hidden: boolean) => ({
    hidden,
    held: hidden && inboxRules[claimed.platform].kinds[kind]?.hidingHolds === true,
  })
  await tx
    .updateTable('inbox_item')
    .set(change.to === 'hide' ? hiddenAs(change.hidden) : { reaction: change.reaction })
    .where('org_id', '=', orgId)
    .where('id', '=', itemId)
    .execute()
  await tellChanged(tx, claimed, now)
}

const deleteItem = async (tx: Tx, claimed: Claimed, remoteId: string, now: Date): Promise<void> => {
  const { org_id: orgId, channel_id: channelId, platform } = claimed
  const channel = { orgId, channelId, projectId: changeOf(claimed).project_id, platform }
  await applyChanges(tx, channel, [{ change: 'deleted', remoteId, at: now }], { now })
}

/** The conversation looks different now. */
async function tellChanged(tx: Tx, claimed: Claimed, now: Date): Promise<void> {
  const { org_id: orgId, channel_id: channelId } = claimed
  const { conversation_id: ref, project_id: projectId } = changeOf(claimed)
  await recount(tx, { orgId, channelId }, [ref])
  await emit(tx, [{ kind: 'conversation', ref, orgId, projectId }], now)
}
