import type { ConversationKind } from '#contract/inbox/terms.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { systemClock } from '#server/clock.ts'
import { asSystem } from '#server/db/system.ts'
import { notifyReceived } from '#server/inbox/notifyReceived.ts'
import { received, remoteItem, storeChanges, type ReceivedOptions } from '#server/testing/inbox.ts'
import { inDatabase } from './database.ts'
import type { Person } from './people.ts'

type Place = { dataDir: string }
type Home = Pick<Person, 'ids'>

/** How long ago. */
export const ago = ({ days = 0, hours = 0, minutes = 0 }: { days?: number; hours?: number; minutes?: number }): Date =>
  new Date(Date.now() - ((days * 24 + hours) * 60 + minutes) * 60_000)

/** A connected channel whose inbox is read, as far as its platform allows: what comes in is up to the journey. */
export async function addInboxChannel(
  stage: Place,
  { ids }: Home,
  platform: PlatformKey,
  name: string,
  states: Partial<Record<ConversationKind, 'reading' | 'late' | 'reconnect'>> = {},
): Promise<string> {
  return await inDatabase(stage, async ({ system }) => {
    const { rows } = await system.query<{ id: string }>(
      `insert into channel (org_id, id, project_id, platform, remote_id, name, handle, check_at, connected_at, connected_by)
       select $1, uuidv7(), $2, $3, $3 || ':' || uuidv7(), $4, '@' || lower(replace($4, ' ', '.')), now() + interval '1 day', now(), o.created_by from organization o where o.org_id = $1 returning id`,
      [ids.orgId, ids.projectId, platform, name],
    )
    const [row] = rows
    if (!row) throw new Error('no such organization')
    for (const kind of Object.keys(inboxRules[platform].kinds))
      await system.query(
        `insert into inbox_cursor (org_id, channel_id, kind, first, began_at, next_at, read_at, state)
         values ($1, $2, $3, false, now(), 'infinity', now(), $4)`,
        // the keys of the rules are kinds
        [ids.orgId, row.id, kind, states[kind as ConversationKind] ?? 'reading'],
      )
    return row.id
  })
}

/** Someone writes, and the inbox hears of it. Returns where it is. */
export const write = (stage: Place, { ids }: Home, item: ReceivedOptions) =>
  inDatabase(stage, (databases) => received({ parts: { databases, clock: systemClock } }, ids, item))

/** Someone writes, and people are notified, as reading does. Returns where it is. */
export const writeAndNotify = (stage: Place, { ids }: Home, item: ReceivedOptions) =>
  inDatabase(stage, async (databases) => {
    const told = await received({ parts: { databases, clock: systemClock } }, ids, item)
    const news = { conversationId: told.conversationId, itemId: told.itemId, at: new Date() }
    await asSystem(databases.system, async (tx) => {
      const { platform } = await tx
        .selectFrom('channel')
        .select('platform')
        .where('org_id', '=', ids.orgId)
        .where('id', '=', item.channelId)
        .executeTakeFirstOrThrow()
      const channel = { ...ids, channelId: item.channelId, platform: PlatformKey.parse(platform) }
      await notifyReceived(tx, channel, [news], systemClock.now())
    })
    return told
  })

/** Many people write one comment each, the first of them last. */
export const writeMany = (stage: Place, { ids }: Home, channelId: string, people: readonly string[], text: string) =>
  inDatabase(stage, (databases) =>
    storeChanges(
      { parts: { databases, clock: systemClock } },
      ids,
      channelId,
      people.map((from, place) => remoteItem({ channelId, from, text, at: ago({ hours: 1 + place }) })),
    ),
  )

/** Someone takes back what they wrote. */
export const takeBack = (stage: Place, { ids }: Home, channelId: string, remoteId: string) =>
  inDatabase(stage, (databases) =>
    storeChanges({ parts: { databases, clock: systemClock } }, ids, channelId, [
      { change: 'deleted', remoteId, at: new Date() },
    ]),
  )
