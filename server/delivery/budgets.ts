import { because } from '#contract/failures/catalog.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { PostFailure } from '#contract/postLists.ts'
import type { Tx } from '../db/kysely.ts'
import type { Budget, BudgetUse, Platform, Refusal } from '../platforms/platform.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import { failureOf } from './failures.ts'
import { costBySubject } from './steps.ts'

/*
 * Rate limits for calls other than posts: reading metrics, lookups. They use the same rows as the claim of posts
 * (db/functions/claim_deliveries.sql), so that all nodes and all uses count together, and a limit that a platform
 * closes is closed for everyone.
 */

/** The share of each window that is reserved for posts: reading can wait. */
const LEFT_TO_POSTS = 0.2
/** How long a limit stays closed if the platform doesn't say, and the longest wait that we accept. */
const [CLOSED_SECONDS, LONGEST_SECONDS] = [300, 86_400]

/** The share of a shared daily limit that one organization gets while others have posts to send. */
const SHARE = 0.5
const DAY_SECONDS = 86_400

/** A rate limit as claim_deliveries counts it; `share` counts by credentials and organization. */
type Offered = {
  name: string
  per: Budget['per'] | 'share'
  window_seconds: number
  tokens: number
  /** The highest of its costs. */ dearest: number
  /** By subject and step. */ cost: Record<string, number>
}

/** A platform's rate limits for the claim of posts, plus one organization's share of each daily limit that organizations share. */
export function budgetsOffered({ budgets }: Pick<Platform, 'budgets'>): Offered[] {
  return budgets.flatMap((budget) => {
    const { name, per, windowSeconds, tokens, cost } = budget
    const share: Budget['cost'] = {
      ...(cost.send !== undefined && { send: cost.send }),
      ...(cost.followUp !== undefined && { followUp: cost.followUp }),
    }
    const isShared = per === 'credentials' && windowSeconds >= DAY_SECONDS && Object.keys(share).length > 0
    const offered = (more: Pick<Offered, 'name' | 'per' | 'tokens'> & Pick<Budget, 'cost'>): Offered => ({
      ...more,
      cost: costBySubject(more.cost),
      window_seconds: windowSeconds,
      dearest: Math.max(0, ...Object.values(more.cost)),
    })
    return [
      offered({ name, per, tokens, cost }),
      ...(isShared
        ? [offered({ name: `${name}${OF_ONE}`, per: 'share', tokens: Math.ceil(tokens * SHARE), cost: share })]
        : []),
    ]
  })
}

const OF_ONE = ' of one'

/**
 * What the message about an exhausted limit depends on: whether the platform closed it only for a while, and whose
 * app the channel uses.
 */
export type UsedUp = { name: string; isShort: boolean; hasOwnApp: boolean }

/** Why a due post waits for its platform, by the rate limit that is exhausted. */
export function quotaFailure(
  { key, budgets }: Pick<Platform, 'key' | 'budgets'>,
  { name, isShort, hasOwnApp }: UsedUp,
): PostFailure {
  const budget = budgets.find((one) => one.name === name || `${one.name}${OF_ONE}` === name)
  const isDay = !isShort && (budget?.windowSeconds ?? 0) >= DAY_SECONDS
  const waits = (of: 'share' | 'app' | 'server' | 'account', suggestsOwnApp: boolean): PostFailure =>
    failureOf(
      'retry',
      because('quota-used-up', { platform: platformLabel(key), of, when: isDay ? 'today' : 'now', suggestsOwnApp }),
      'reschedule',
    )
  if (name.endsWith(OF_ONE)) return waits('share', !hasOwnApp)
  if (budget?.per === 'credentials') return waits('app', isDay && !hasOwnApp)
  return waits(budget?.per === 'server' ? 'server' : 'account', false)
}

type Counted = Pick<Platform, 'budgets' | 'mainServers'> & { key: PlatformKey }
/** Whose calls they are: the lane's credentials, and the server of a federated account. */
export type CallerOf = { channelId: string; credentials: string; service: string | null }

/**
 * Takes the tokens for a use, or for `times` as many, from every limit that counts it, or none, and then returns when to try again: at the
 * end of the window, or when the platform reopens the limit. `leave` is the share of each window that stays for other uses. Locks rows in the order of their keys, as the claim
 * does.
 */
export async function takeTokens(
  tx: Tx,
  platform: Counted,
  use: BudgetUse,
  caller: CallerOf,
  now: Date,
  { times = 1, leave = LEFT_TO_POSTS }: { times?: number; leave?: number } = {},
): Promise<{ kind: 'taken' } | { kind: 'later'; at: Date }> {
  const counting = countedBy(platform, caller).flatMap(({ budget, key }) =>
    (budget.cost[use] ?? 0) > 0 ? [{ ...budget, price: (budget.cost[use] ?? 0) * times, key }] : [],
  )
  if (counting.length === 0) return { kind: 'taken' }
  const keys = counting.map(({ key }) => key)
  await sql`insert into budget (key, window_ends_at) select key, ${now}::timestamptz from unnest(${keys}::text[]) as k(key) order by key on conflict (key) do nothing`.execute(
    tx,
  )
  const rows = await tx.selectFrom('budget').selectAll().where('key', 'in', keys).orderBy('key').forUpdate().execute()
  const standing = new Map(rows.map((row) => [row.key, { ...row, isOver: row.window_ends_at <= now }]))
  const waits = counting.flatMap(({ key, tokens, price }) => {
    const row = standing.get(key)
    if (row?.closed_until && row.closed_until > now) return [row.closed_until]
    const used = !row || row.isOver ? 0 : row.used
    // one use always fits into an unused window
    return used > 0 && row && used + price > Math.floor(tokens * (1 - leave)) ? [row.window_ends_at] : []
  })
  const last = waits.toSorted((a, b) => b.getTime() - a.getTime())[0]
  if (last) return { kind: 'later', at: last }
  for (const { key, price, tokens, windowSeconds } of counting) {
    const isOver = standing.get(key)?.isOver ?? true
    const fresh = { window_ends_at: new Date(now.getTime() + windowSeconds * 1000), used: Math.min(price, tokens) }
    await tx
      .updateTable('budget')
      .set(isOver ? fresh : (e) => ({ used: e('used', '+', price) }))
      .where('key', '=', key)
      .execute()
  }
  return { kind: 'taken' }
}

const GIVE_BACK = `
  update budget b set used = greatest(0, b.used - k.unused)
  from (select * from unnest($1::text[], $2::int[], $3::int[]) as k(key, unused, seconds) order by key) k
  where b.key = k.key and b.window_ends_at > $4 and b.window_ends_at - make_interval(secs => k.seconds) <= $5`

/**
 * Gives back what a use didn't need of the limits that count calls: it was charged for the most calls that it can make,
 * and made `calls`. Only in the window that it was charged in, at `since`.
 */
export async function giveBack(
  pool: pg.Pool,
  platform: Counted,
  use: BudgetUse,
  { since, calls, ...caller }: CallerOf & { since: Date; calls: number },
  now: Date,
): Promise<void> {
  const unused = countedBy(platform, caller).flatMap(({ budget, key }) => {
    const left = budget.countsCalls ? (budget.cost[use] ?? 0) - calls : 0
    return left > 0 ? [{ key, left, seconds: budget.windowSeconds }] : []
  })
  if (unused.length === 0) return
  const [keys, left, seconds] = [
    unused.map(({ key }) => key),
    unused.map((one) => one.left),
    unused.map((one) => one.seconds),
  ]
  await pool.query(GIVE_BACK, [keys, left, seconds, now, since])
}

/**
 * Closes the limits that count this use for as long as the platform's refusal asks, for posts as well. Does nothing
 * if the refusal doesn't mention a limit.
 */
export async function closeTokens(
  tx: Tx,
  platform: Counted,
  use: BudgetUse,
  caller: CallerOf,
  { afterSeconds, closesBudget }: Pick<Extract<Refusal, { kind: 'retry' }>, 'afterSeconds' | 'closesBudget'>,
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + Math.min(afterSeconds ?? CLOSED_SECONDS, LONGEST_SECONDS) * 1000)
  await sql`
    insert into budget as b (key, window_ends_at, closed_until) select key, ${now}::timestamptz, ${until}::timestamptz from unnest(${keysClosedBy(platform, use, caller, closesBudget)}::text[]) as k(key) order by key
    on conflict (key) do update set closed_until = greatest(b.closed_until, excluded.closed_until)`.execute(tx)
}

/**
 * A 429 is about the account where the platform counts by account, otherwise about our credentials; some platforms
 * name the exhausted limit. One account's 429 never closes a whole server, where others publish.
 */
export function keysClosedBy(
  platform: Counted,
  use: BudgetUse,
  caller: CallerOf,
  closes: boolean | string = false,
): string[] {
  if (closes === false) return []
  const known = countedBy(platform, caller)
  const named = known.filter(({ budget: { name } }) => name === closes)
  if (named.length > 0) return named.map(({ key }) => key)
  const counting = known.filter(({ budget: { cost, per } }) => (cost[use] ?? 0) > 0 && per !== 'server')
  const perChannel = counting.filter(({ budget: { per } }) => per === 'channel')
  return (perChannel.length > 0 ? perChannel : counting).map(({ key }) => key)
}

/** The keys of the limits that count this caller, as claim_deliveries writes them. */
function countedBy(
  { key: platform, budgets, mainServers = [] }: Counted,
  { channelId, credentials, service }: CallerOf,
): { budget: Budget; key: string }[] {
  const whose = {
    channel: channelId,
    credentials,
    server: service !== null && mainServers.includes(service) ? null : service,
  } as const
  return budgets.flatMap((budget) => {
    const one = whose[budget.per]
    return one === null ? [] : [{ budget, key: `${platform}:${budget.name}:${one}` }]
  })
}
