import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import type { findCompetitor } from '#contract/analytics/competitors.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { ask, channelToAsk, type AskDeps } from '../delivery/ask.ts'
import { storable } from '../delivery/storable.ts'
import { asSystem } from '../db/system.ts'
import { setAside, settle } from '../inbox/costs.ts'
import { assertWithinLimit, count, type Limit } from '../http/attempts.ts'
import type { Caller, ProjectContext } from '../http/route.ts'
import type { CompetitorAccount } from '../platforms/competitor.ts'
import { mustHaveRunning } from '../plans/gates.ts'

/** Lookups that reach a platform, per person: they count against the rate limit that publishing needs. */
const questions = { name: 'competitor-lookups', most: 60, seconds: 300 } as const satisfies Limit
const FIND_MS = 15_000
/** Channels that are tried: some have no permission to look at others. */
const MOST_CHANNELS = 3

export type Finder = {
  caller: Caller
  now: Date
  inTenant: <T>(fn: (t: ProjectContext) => Promise<T>) => Promise<T>
}
type Why = NonNullable<ReplyOf<typeof findCompetitor>['why']>
export type Found = { kind: 'account'; account: CompetitorAccount; channelId: string } | { kind: 'none'; why: Why }

/**
 * Looks an account up through a connected channel of its platform that the caller's role includes. Throws PLAN_LIMIT, RATE_LIMITED,
 * CHANNEL_REFUSED, CHANNEL_UNREACHABLE.
 */
export async function findAccount(
  deps: AskDeps,
  c: Finder,
  { platform: key, query }: { platform: PlatformKey; query: string },
): Promise<Found> {
  const asked = await c.inTenant(async (t) => {
    mustHaveRunning(t, 'analytics')
    const ids = await channelsOf(t, key)
    return await Promise.all(ids.map((id) => channelToAsk(t, id)))
  })
  const platform = deps.platforms(key)
  const { competitors } = platform ?? {}
  if (!platform || !competitors || !platformFigures[key].competitors.isPossible)
    return { kind: 'none', why: 'notPossible' }
  if (asked.length === 0) return { kind: 'none', why: 'signedOut' }
  assertWithinLimit(await asSystem(deps.databases.system, (tx) => count(tx, questions, c.caller.personId, c.now)))
  const price = platformFigures[key].readPrices?.account
  for (const channel of asked) {
    const of = { orgId: channel.channel.org_id, platform: key }
    const paid =
      price === undefined
        ? undefined
        : await asSystem(deps.databases.system, (tx) =>
            setAside(tx, of, { price, most: 1, least: 1 }, deps.clock.now()),
          )
    if (paid && paid.kind !== 'allowed') return { kind: 'none', why: 'spending' }
    const answer = storable(
      await ask(
        deps,
        platform,
        channel,
        FIND_MS,
        (reach, secret, account) => competitors.find(reach, secret, account, query),
        'competitor',
      ),
    )
    // a refusal, which is thrown, may have been charged
    if (paid && price !== undefined && answer.kind !== 'account')
      await asSystem(deps.databases.system, (tx) => settle(tx, of, paid, { items: 0, price }))
    if (answer.kind === 'account') return { ...answer, channelId: channel.channel.id }
    if (answer.kind === 'none') return answer
  }
  return { kind: 'none', why: 'rights' }
}

async function channelsOf({ tx, org, project }: ProjectContext, platform: PlatformKey): Promise<string[]> {
  const rows = await tx
    .selectFrom('channel')
    .select('id')
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('platform', '=', platform)
    .where('status', '=', 'CONNECTED')
    .where('deleted_at', 'is', null)
    .$if(project.channelIds !== null, (q) =>
      q.where('id', '=', (e) => e.fn.any(e.val([...(project.channelIds ?? [])]))),
    )
    .orderBy('connected_at')
    .limit(MOST_CHANNELS)
    .execute()
  return rows.map(({ id }) => id)
}
