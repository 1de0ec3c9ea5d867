import { sql } from 'kysely'
import type { z } from 'zod'
import { PostMetrics, sumOfReported } from '#contract/metrics.ts'
import type { bestTimes, QueueSlot } from '#contract/queues.ts'
import { wallTimeOf } from '#contract/time.ts'
import { seeChannel } from '../access/channels.ts'
import type { Context } from '../http/route.ts'

type Reply = z.output<(typeof bestTimes)['reply']>
/** A post's metrics about a day after it was published. */
export type Result = { publishedAt: Date; figures: PostMetrics }

/** How many posts with results are needed. */
const RESULTS_NEEDED = 30
/** How many posts in one hour of the week are needed for a slot; one may be chance. */
const SLOT_NEEDED = 2
/** An hour with few posts counts less: as if it had this many average ones as well. */
const AVERAGE_POSTS = 3
const SLOTS = 5
/** The newest posts of a year, because readers' habits change. */
const [YEAR_MS, POSTS] = [365 * 86_400_000, 1_000]

/**
 * The hours of the week, in the channel's zone, in which its own posts did best, wherever they were published, best first. Metrics of the same age
 * are compared: the first reading from one to three days after publishing. Same refusal as seeChannel.
 */
export async function findBestTimes(c: Context<typeof bestTimes>): Promise<Reply> {
  const { id, zone } = await seeChannel(c, c.params.channelId)
  const timezone = zone ?? c.project.zone
  const { rows } = await sql<{ published_at: Date; figures: unknown }>`
    select p.published_at, m.figures from measured_post p cross join lateral (
      select m.figures from post_metric m where m.org_id = p.org_id and m.post_id = p.id and m.read_at >= p.published_at + interval '1 day' and m.read_at < p.published_at + interval '3 days' order by m.read_at limit 1) m
    where p.org_id = ${c.org.orgId} and p.project_id = ${c.project.projectId} and p.channel_id = ${id} and p.listed and p.published_at > ${new Date(c.now.getTime() - YEAR_MS)}
    order by p.published_at desc limit ${POSTS}`.execute(c.tx)
  const results = measured(
    rows.map(({ published_at: publishedAt, figures }) => ({ publishedAt, figures: PostMetrics.parse(figures) })),
  )
  const reply = { timezone, posts: results.length, needed: RESULTS_NEEDED }
  if (results.length < RESULTS_NEEDED) return { ...reply, slots: [], problem: 'Not enough results yet' }
  const slots = bestSlots(results, timezone)
  return { ...reply, slots, problem: slots.length > 0 ? null : "There's no clear best time yet" }
}

/** What people did with each post; if the platform reports that for no post, its views. */
export function measured(results: readonly Result[]): { publishedAt: Date; value: number }[] {
  const all = results.map(({ publishedAt, figures: f }) => ({
    publishedAt,
    did: sumOfReported(f.reactions, f.comments, f.shares, f.saves, f.clicks),
    saw: f.views ?? f.impressions ?? f.videoViews ?? f.reach ?? null,
  }))
  const isTold = all.some(({ did }) => did !== null)
  return all.flatMap(({ publishedAt, did, saw }) => {
    const value = isTold ? did : saw
    return value === null ? [] : [{ publishedAt, value }]
  })
}

/** `score` is how many times as much as usual a post gets in the slot; only slots above 1.0 are returned. */
export function bestSlots(
  results: readonly { publishedAt: Date; value: number }[],
  timezone: string,
): (QueueSlot & { score: number })[] {
  const slots = new Map<string, { slot: QueueSlot; logs: number[] }>()
  // logarithms: one viral post doesn't make its hour the best
  const logs = results.map(({ value }) => Math.log1p(Math.max(0, value)))
  const usual = logs.reduce((sum, one) => sum + one, 0) / Math.max(1, logs.length)
  for (const [i, { publishedAt }] of results.entries()) {
    const wall = wallTimeOf(publishedAt, timezone)
    const slot = {
      day: new Date(Date.UTC(wall.year, wall.month - 1, wall.day)).getUTCDay(),
      time: `${String(wall.hour).padStart(2, '0')}:00`,
    }
    const key = `${slot.day} ${slot.time}`
    const known = slots.get(key) ?? { slot, logs: [] }
    known.logs.push(logs[i] ?? 0)
    slots.set(key, known)
  }
  return [...slots.values()]
    .filter((one) => one.logs.length >= SLOT_NEEDED)
    .map(({ slot, logs: own }) => ({
      ...slot,
      score:
        Math.round(100 * Math.exp(own.reduce((sum, log) => sum + log - usual, 0) / (own.length + AVERAGE_POSTS))) / 100,
    }))
    .filter(({ score }) => score > 1)
    .toSorted((a, b) => b.score - a.score || a.day - b.day || a.time.localeCompare(b.time))
    .slice(0, SLOTS)
}
