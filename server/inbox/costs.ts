import { sql, type RawBuilder } from 'kysely'
import { because, type Reason } from '#contract/failures/catalog.ts'
import type { platformCosts } from '#contract/inbox/costs.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { readPriceOf } from '#contract/platforms/inboxRegistry.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import type { CallerOrg } from '../http/route.ts'

/*
 * Platforms that charge for what is read. Before a call, the price of everything that it can bring is set aside, in one
 * statement that holds the row: however many nodes read, no more is ever spent than the organization's limit. What the
 * call didn't bring is given back; a call that was lost is taken as charged.
 */

const MICRO = 1_000_000
const DAY_MS = 86_400_000
/** Dollars as the millionths in which they're stored. */
export const microsOf = (dollars: number): number => Math.round(dollars * MICRO)
/** The first day of the month, in UTC. */
const monthOf = (now: Date): string => `${now.toISOString().slice(0, 7)}-01`
const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))

type Of = { orgId: string; platform: PlatformKey }
/** So many items may be read. `setAside` is given back by `settle`, as far as it wasn't charged. */
export type Allowance =
  | { kind: 'allowed'; most: number; setAside: number; month: string }
  | { kind: 'off'; reason: Reason }
  | { kind: 'used-up'; reason: Reason; until: Date }

/**
 * Sets the price of at most `most` items aside, and of fewer where that is all that is left; none below `least`, and none once the plan
 * has ended.
 */
export async function setAside(
  tx: Tx,
  { orgId, platform }: Of,
  { price, most, least }: { price: number; most: number; least: number },
  now: Date,
): Promise<Allowance> {
  const month = monthOf(now)
  const label = { platform: platformLabel(platform) }
  const each = microsOf(price)
  const { rows } = await sql<{ monthly_limit: number | null; spent: number; is_ended: boolean }>`
    select monthly_limit, case when month = ${month}::date then spent else 0 end as spent, not ${planRuns(sql`${orgId}::uuid`, now)} as is_ended
    from inbox_cost where org_id = ${orgId} and platform = ${platform} for update`.execute(tx)
  const row = rows[0]
  if (!row || row.monthly_limit === null) return { kind: 'off', reason: because('inbox-spending-off', label) }
  if (row.is_ended)
    return { kind: 'used-up', reason: because('inbox-spending-ended', label), until: new Date(now.getTime() + DAY_MS) }
  const left = row.monthly_limit - row.spent
  const items = Math.min(most, Math.floor(left / each))
  if (items < least) return { kind: 'used-up', reason: because('inbox-spending-used-up', label), until: nextMonth(now) }
  const amount = items * each
  await sql`
    update inbox_cost set spent = case when month = ${month}::date then spent else 0 end + ${amount}, month = ${month}::date
    where org_id = ${orgId} and platform = ${platform}`.execute(tx)
  return { kind: 'allowed', most: items, setAside: amount, month }
}

/** Whether the organization's plan hasn't ended: nothing is read for money afterwards. */
const planRuns = (orgId: RawBuilder<unknown>, now: Date): RawBuilder<boolean> =>
  sql`exists (select from plan p where p.org_id = ${orgId} and plan_is_valid(p.status, p.trial_ends_at, ${now}))`

/** Whether this many millionths of a dollar may be spent on the platform's readings now. */
export const mayBeSpent = (
  orgId: RawBuilder<unknown>,
  platform: RawBuilder<unknown>,
  micros: RawBuilder<unknown>,
  now: Date,
): RawBuilder<boolean> => sql`(exists (
  select from inbox_cost b where b.org_id = ${orgId} and b.platform = ${platform}
    and b.monthly_limit - case when b.month = ${monthOf(now)}::date then b.spent else 0 end >= ${micros})
  and ${planRuns(orgId, now)})`

/** Whether a call may have been charged for although it brought nothing. */
export const isLost = (answer: { kind: string; reason?: Reason }): boolean =>
  answer.kind === 'unknown' ||
  (answer.kind === 'retry' && ['answer-lost', 'platform-trouble'].includes(answer.reason?.code ?? ''))

/** Gives back what a call didn't cost. Nothing where another month has begun meanwhile. */
export async function settle(
  tx: Tx,
  { orgId, platform }: Of,
  { setAside: amount, month }: Extract<Allowance, { kind: 'allowed' }>,
  charged: { items: number; price: number },
): Promise<void> {
  const back = amount - Math.min(amount, charged.items * microsOf(charged.price))
  if (back > 0)
    await sql`
      update inbox_cost set spent = greatest(0, spent - ${back})
      where org_id = ${orgId} and platform = ${platform} and month = ${month}::date`.execute(tx)
}

const charging = platformKeys.filter((platform) => readPriceOf(platform) !== null)

/** What reading costs, what may be spent, and what was spent this month. */
export async function readCosts({
  tx,
  org,
  now,
}: {
  tx: Tx
  org: CallerOrg
  now: Date
}): Promise<ReplyOf<typeof platformCosts>> {
  const { rows } = await sql<{ platform: string; monthly_limit: number | null; spent: number }>`
    select platform, monthly_limit, case when month = ${monthOf(now)}::date then spent else 0 end as spent
    from inbox_cost where org_id = ${org.orgId}`.execute(tx)
  const known = new Map(rows.map((row) => [row.platform, row]))
  const channels = await tx
    .selectFrom('channel')
    .select(['platform', (e) => e.fn.countAll<number>().as('n')])
    .where('org_id', '=', org.orgId)
    .where('deleted_at', 'is', null)
    .where('platform', 'in', charging)
    .groupBy('platform')
    .execute()
  return {
    platforms: charging.map((platformName) => {
      const row = known.get(platformName)
      return {
        platformName,
        readPrice: readPriceOf(platformName) ?? 0,
        monthlyLimit: row?.monthly_limit == null ? null : row.monthly_limit / MICRO,
        spent: (row?.spent ?? 0) / MICRO,
        channels: channels.find(({ platform }) => platform === platformName)?.n ?? 0,
      }
    }),
  }
}

/** Sets how much reading may cost a month, or stops it; what waits for that is read at once. Returns the limit before. */
export async function setCostLimit(
  { tx, org, now }: { tx: Tx; org: Pick<CallerOrg, 'orgId'>; now: Date },
  platform: PlatformKey,
  monthlyLimit: number | null,
): Promise<number | null> {
  const month = monthOf(now)
  const limit = monthlyLimit === null ? null : microsOf(monthlyLimit)
  const { rows } = await sql<{ before: number | null }>`
    insert into inbox_cost (org_id, platform, monthly_limit, month) values (${org.orgId}, ${platform}, ${limit}, ${month}::date)
    on conflict (org_id, platform) do update set monthly_limit = excluded.monthly_limit
    returning old.monthly_limit as before`.execute(tx)
  // locked in the order of all who lock several (lockCursors.ts)
  await sql`
    with waiting as (
      select i.channel_id, i.kind from inbox_cursor i join channel c on c.org_id = i.org_id and c.id = i.channel_id
      where i.org_id = ${org.orgId} and c.platform = ${platform} and i.next_at > ${now} and i.next_at < 'infinity'
      order by i.channel_id, i.kind for no key update of i
    )
    update inbox_cursor i set next_at = ${now} from waiting w
    where i.org_id = ${org.orgId} and i.channel_id = w.channel_id and i.kind = w.kind`.execute(tx)
  const before = rows[0]?.before
  return before == null ? null : before / MICRO
}
