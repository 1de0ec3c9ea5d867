import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { COMPETITOR_POSTS } from '#contract/analytics/competitors.ts'
import type { Reason } from '#contract/failures/catalog.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { closeTokens, takeTokens } from '../delivery/budgets.ts'
import { storable } from '../delivery/storable.ts'
import { isLost, setAside, settle } from '../inbox/costs.ts'
import { openChannel, type ChannelDeps, type ReadChannel } from '../insights/openChannel.ts'
import type { JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import type { CompetitorReading, Competitors, NotThere } from '../platforms/competitor.ts'
import type { Platform, Refusal } from '../platforms/platform.ts'
import { channelsFor, claimCompetitors, putOff, waitFor, type Due } from './claim.ts'
import { keepReading } from './keep.ts'

/*
 * Competitors are read once a day, each in a transaction of its own, through the project's own channels and within the rate limits of
 * publishing, of which they leave most.
 */

export const READ_COMPETITORS = 'competitors.read'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const AT_ONCE = 3
/** Where each post costs money: the fewest that may be asked for. */
const PAID_LEAST = 5
/** Half of each rate limit stays for everything else. */
const LEFT = 0.5

export type CompetitorDeps = ChannelDeps & { platforms: (key: PlatformKey) => Platform | undefined }

/** Reads the competitors whose time has come, in all organizations or in one. Returns how many were read. */
export async function readDueCompetitors(deps: CompetitorDeps, context: JobContext, orgId?: string): Promise<number> {
  const { databases, clock, log, signal } = context
  const platforms = platformKeys.filter(
    (key) => platformFigures[key].competitors.isPossible && deps.platforms(key)?.competitors !== undefined,
  )
  const claimed = await asSystem(databases.system, (tx) => claimCompetitors(tx, { platforms, orgId }, clock.now()))
  let read = 0
  const waiting = claimed.values()
  const place = async () => {
    for (const due of waiting) {
      if (signal.aborted) return
      try {
        if (await readOne(deps, context, due)) read += 1
      } catch (error) {
        log.error({ err: error, competitorId: due.id }, "a competitor couldn't be read")
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, place))
  return read
}

type Outcome =
  | { kind: 'answer'; answer: CompetitorReading | NotThere | Refusal; channelId: string }
  | { kind: 'later'; at: Date }
  | { kind: 'unpaid'; at: Date; problem: Reason }
  | { kind: 'none'; state: 'rights' | 'signedOut' }

async function readOne(deps: CompetitorDeps, context: JobContext, due: Due): Promise<boolean> {
  const { databases, clock } = context
  const platform = deps.platforms(due.platform)
  if (!platform?.competitors) return false
  const outcome = await askChannels(deps, context, { platform, competitors: platform.competitors }, due)
  const now = clock.now()
  return await asSystem(databases.system, async (tx) => {
    if (outcome.kind === 'later') await waitFor(tx, due, outcome.at)
    else {
      await note(tx, due, outcome, now)
      await emit(tx, { kind: 'competitor', ref: due.id, orgId: due.org_id, projectId: due.project_id }, now)
    }
    return outcome.kind === 'answer' && outcome.answer.kind === 'read'
  })
}

/** Keeps what was read, or why nothing was, and when to read again. */
async function note(tx: Tx, due: Due, outcome: Exclude<Outcome, { kind: 'later' }>, now: Date): Promise<void> {
  const tomorrow = new Date(now.getTime() + DAY)
  if (outcome.kind === 'unpaid') return await putOff(tx, due, outcome.at, { state: 'late', problem: outcome.problem })
  if (outcome.kind === 'none') return await putOff(tx, due, tomorrow, { state: outcome.state })
  const { answer, channelId } = outcome
  if (answer.kind === 'none') return await putOff(tx, due, tomorrow, { state: answer.why })
  if (answer.kind === 'read') {
    const planned = new Date(due.planned_at.getTime() + DAY)
    return await keepReading(tx, due, answer, { now, nextAt: planned > now ? planned : tomorrow, channelId })
  }
  const least = answer.kind === 'rejected' ? DAY : HOUR * 2 ** Math.min(due.tries - 1, 4)
  const asked = answer.kind === 'retry' ? (answer.afterSeconds ?? 0) * 1000 : 0
  const at = new Date(now.getTime() + Math.min(Math.max(least, asked), DAY))
  await putOff(tx, due, at, { state: 'late', problem: answer.reason })
}

/** Asks through one channel after the other, until one may read others. */
async function askChannels(
  deps: CompetitorDeps,
  context: JobContext,
  { platform, competitors }: { platform: Platform; competitors: Competitors },
  due: Due,
): Promise<Outcome> {
  const { databases, clock } = context
  const channels: ReadChannel[] = await asSystem(databases.system, (tx) => channelsFor(tx, due))
  let state: 'rights' | 'signedOut' = 'signedOut'
  for (const channel of channels) {
    const opened = await openChannel(deps, context, platform, channel)
    if (!opened) continue
    const turn = await asSystem(
      databases.system,
      (tx) => takeTokens(tx, platform, 'competitor', opened.caller, clock.now(), { leave: LEFT }),
      { durable: false },
    )
    if (turn.kind === 'later') return turn
    const paid = await payFor(context, due)
    if (paid.kind === 'unpaid') return paid
    const of = { remoteId: due.remote_id, handle: due.handle }
    const answer = storable(await competitors.read(opened.reach, opened.secret, opened.account, of, paid.posts))
    await paid.settle(answer)
    if (answer.kind === 'retry')
      await asSystem(databases.system, (tx) =>
        closeTokens(tx, platform, 'competitor', opened.caller, answer, clock.now()),
      )
    if (answer.kind === 'rights') state = 'rights'
    // the daily check reports a sign-in that ended
    else if (answer.kind !== 'reconnect') return { kind: 'answer', answer, channelId: channel.channel_id }
  }
  return { kind: 'none', state }
}

type Answer = Awaited<ReturnType<Competitors['read']>>
type Paid =
  | Extract<Outcome, { kind: 'unpaid' }>
  | { kind: 'paid'; /** As many may be read. */ posts: number; settle: (answer: Answer) => Promise<void> }

/** Where the platform charges, sets aside what an account with its posts may cost, in prices of a post. */
async function payFor({ databases, clock }: JobContext, { org_id: orgId, platform }: Due): Promise<Paid> {
  const prices = platformFigures[platform].readPrices
  if (!prices) return { kind: 'paid', posts: COMPETITOR_POSTS, settle: async () => undefined }
  const [price, account] = [prices.post, Math.ceil(prices.account / prices.post)]
  const ask = { price, most: account + COMPETITOR_POSTS, least: account + PAID_LEAST }
  const allowed = await asSystem(databases.system, (tx) => setAside(tx, { orgId, platform }, ask, clock.now()))
  if (allowed.kind !== 'allowed') {
    const at = allowed.kind === 'off' ? new Date(clock.now().getTime() + DAY) : allowed.until
    return { kind: 'unpaid', at, problem: allowed.reason }
  }
  const posts = allowed.most - account
  return {
    kind: 'paid',
    posts,
    settle: async (answer) => {
      if (isLost(answer)) return
      // a full page is charged for, also what an adapter leaves out of it
      const read = answer.kind !== 'read' ? 0 : answer.isAll ? Math.min(posts, answer.posts.length) : posts
      const items = answer.kind === 'read' || answer.kind === 'none' ? account + read : 0
      await asSystem(databases.system, (tx) => settle(tx, { orgId, platform }, allowed, { items, price }))
    },
  }
}
