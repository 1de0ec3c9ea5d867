import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import { recount } from './recount.ts'
import { forgetPushAddresses } from './pushAddress.ts'

/** Items or people of one transaction: it locks their conversations. */
const BATCH = 200
const DAY = 86_400_000
/** A deletion that was heard of before its item. Platforms repeat what they send for some days at most. */
const TOMBSTONE_MS = 30 * DAY
/** What platforms told, once it was applied: to know a repeat. Meta sends again for up to 36 hours (Webhooks, Getting Started). */
const PUSH_MS = 2 * DAY

/**
 * Erases what a platform's terms or the organization let us keep no longer: texts and files of items, what is shown of
 * their conversations, names and pictures of people. What happened stays: that someone wrote, when, and what we answered.
 * Returns how many items and people were erased.
 */
export async function eraseExpired({
  databases,
  clock,
  signal,
}: Pick<JobContext, 'databases' | 'clock' | 'signal'>): Promise<number> {
  let erased = 0
  for (const erase of [eraseItems, erasePersons]) {
    for (let batch = BATCH; batch === BATCH && !signal.aborted; erased += batch)
      batch = await asSystem(databases.system, (tx) => erase(tx, clock.now()))
  }
  await asSystem(databases.system, (tx) =>
    tx
      .deleteFrom('inbox_tombstone')
      .where('at', '<', new Date(clock.now().getTime() - TOMBSTONE_MS))
      .execute(),
  )
  await asSystem(databases.system, async (tx) => {
    await tx
      .deleteFrom('inbox_push')
      .where('done_at', '<', new Date(clock.now().getTime() - PUSH_MS))
      .execute()
    // what nodes of the previous version have applied, whose bodies nobody needs
    await tx.deleteFrom('inbox_delivery').where('done_at', 'is not', null).execute()
  })
  await asSystem(databases.system, forgetPushAddresses)
  return erased
}

/** What others wrote; our own words are ours. */
async function eraseItems(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql<{ org_id: string; channel_id: string; project_id: string; conversation_id: string }>`
    with due as (
      select org_id, id from inbox_item where keep_until <= ${now} order by keep_until limit ${BATCH} for no key update skip locked
    ), erased as (
      update inbox_item i set keep_until = null,
        text = case when i.direction = 'sent' then i.text end, media = case when i.direction = 'sent' then i.media else '[]' end,
        expired = i.direction = 'received' and i.deleted_at is null
      from due where i.org_id = due.org_id and i.id = due.id returning i.org_id, i.channel_id, i.conversation_id
    )
    select e.*, c.project_id from erased e join conversation c on c.org_id = e.org_id and c.id = e.conversation_id`.execute(
    tx,
  )
  const channels = Map.groupBy(rows, ({ org_id: orgId, channel_id: channelId }) => `${orgId} ${channelId}`)
  for (const key of [...channels.keys()].toSorted()) {
    const of = channels.get(key) ?? []
    const [one] = of
    if (!one) continue
    const ids = [...new Set(of.map(({ conversation_id: id }) => id))]
    await eraseSubjects(tx, one.org_id, ids)
    await recount(tx, { orgId: one.org_id, channelId: one.channel_id }, ids)
    const events = ids.map((ref) => ({
      kind: 'conversation' as const,
      ref,
      orgId: one.org_id,
      projectId: one.project_id,
    }))
    await emit(tx, events, now)
  }
  return rows.length
}

/** The post of someone else that a conversation is about goes with the last of its items. */
async function eraseSubjects(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update conversation c set subject = c.subject || '{"text": "", "person": null}'
    where c.org_id = ${orgId} and c.id = any(${[...ids]}::uuid[]) and c.subject ->> 'isOurs' = 'false'
      and not exists (select from inbox_item i where i.org_id = c.org_id and i.conversation_id = c.id and i.keep_until is not null)`.execute(
    tx,
  )
}

async function erasePersons(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql`
    with due as (
      select org_id, id from inbox_person where keep_until <= ${now} order by keep_until limit ${BATCH} for no key update skip locked
    )
    update inbox_person p set name = '', handle = '', picture_url = null, url = null, keep_until = null
    from due where p.org_id = due.org_id and p.id = due.id returning p.id`.execute(tx)
  return rows.length
}
