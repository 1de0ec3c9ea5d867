import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import { recount } from './recount.ts'
import { forgetPushAddresses } from './pushAddress.ts'

/** Items or people of one look; those of a channel are one transaction, which locks their conversations. */
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
export async function eraseExpired(
  context: Pick<JobContext, 'databases' | 'clock' | 'signal'> & Partial<Pick<JobContext, 'log'>>,
): Promise<number> {
  const { databases, clock } = context
  const erased =
    (await eraseDue(context, 'inbox_item', eraseItems)) + (await eraseDue(context, 'inbox_person', erasePersons))
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

type Context = Parameters<typeof eraseExpired>[0]
type Due = { org_id: string; channel_id: string; id: string }
type Erase = (
  tx: Tx,
  channel: { orgId: string; channelId: string },
  ids: readonly string[],
  now: Date,
) => Promise<number>

/** Each channel alone: what can't be erased of one holds up no other's. */
async function eraseDue(context: Context, table: 'inbox_item' | 'inbox_person', erase: Erase): Promise<number> {
  const { databases, clock, signal } = context
  const failed: string[] = []
  for (let erased = 0; ;) {
    const now = clock.now()
    const { rows } = await asSystem(databases.system, (tx) =>
      sql<Due>`
        select org_id, channel_id, id from ${sql.table(table)}
        where keep_until <= ${now} and channel_id <> all(${failed}::uuid[]) order by keep_until limit ${BATCH}`.execute(
        tx,
      ),
    )
    const channels = Map.groupBy(rows, ({ org_id: orgId, channel_id: channelId }) => `${orgId} ${channelId}`)
    let progress = 0
    const left = await eachAlone(
      context,
      channels.values(),
      { name: ([one]) => ({ channelId: one?.channel_id }), failed: "what expired in a channel couldn't be erased" },
      async (due) => {
        const [one] = due
        if (!one) return
        const channel = { orgId: one.org_id, channelId: one.channel_id }
        const ids = due.map(({ id }) => id)
        progress += await asSystem(databases.system, (tx) => erase(tx, channel, ids, now))
      },
    )
    failed.push(...left.flatMap(([one]) => one?.channel_id ?? []))
    erased += progress
    // nothing is left, or another worker is at it
    if (signal.aborted || rows.length < BATCH || (progress === 0 && left.length === 0)) return erased
  }
}

/** What others wrote; our own words are ours. */
const eraseItems: Erase = async (tx, { orgId, channelId }, ids, now) => {
  const { rows } = await sql<{ project_id: string; conversation_id: string }>`
    with due as (
      select org_id, id from inbox_item where org_id = ${orgId} and id = any(${[...ids]}::uuid[]) and keep_until <= ${now} order by id for no key update skip locked
    ), erased as (
      update inbox_item i set keep_until = null,
        text = case when i.direction = 'sent' then i.text end, warning = case when i.direction = 'sent' then i.warning end, media = case when i.direction = 'sent' then i.media else '[]' end,
        expired = i.direction = 'received' and i.deleted_at is null
      from due where i.org_id = due.org_id and i.id = due.id returning i.org_id, i.conversation_id
    )
    select e.conversation_id, c.project_id from erased e join conversation c on c.org_id = e.org_id and c.id = e.conversation_id`.execute(
    tx,
  )
  const projectOf = new Map(rows.map((row) => [row.conversation_id, row.project_id]))
  const conversations = [...projectOf.keys()]
  await eraseSubjects(tx, orgId, conversations)
  await recount(tx, { orgId, channelId }, conversations)
  const events = [...projectOf].map(([ref, projectId]) => ({ kind: 'conversation' as const, ref, orgId, projectId }))
  await emit(tx, events, now)
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

const erasePersons: Erase = async (tx, { orgId }, ids, now) => {
  const { rows } = await sql`
    with due as (
      select org_id, id from inbox_person where org_id = ${orgId} and id = any(${[...ids]}::uuid[]) and keep_until <= ${now} order by id for no key update skip locked
    )
    update inbox_person p set name = '', handle = '', picture_url = null, url = null, keep_until = null
    from due where p.org_id = due.org_id and p.id = due.id returning p.id`.execute(tx)
  return rows.length
}
