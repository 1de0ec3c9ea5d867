import { z } from 'zod'
import { facebook } from '#contract/analytics/catalog/facebook.ts'
import { foldCounts } from '#server/dashboard/fold.ts'
import { readDueAccounts } from '#server/insights/readAccounts.ts'
import { readDueMetrics, type MetricsDeps } from '#server/insights/readMetrics.ts'
import type { JobContext } from '#server/jobs/job.ts'
import type { AccountFigures, Platform } from '#server/platforms/platform.ts'
import { testPlatform } from '#server/testing/content.ts'
import { openStage } from './_stage.ts'

/*
 * What a day of reading figures costs, against a platform that responds at once, with all figures of the richest one: of 1,000
 * channels the days that aren't final and the current values, and of 200,000 posts, published evenly over two years, those that the
 * reading plan reads on a day. All time counts, of this process and of PostgreSQL: each may be 5% of a core, which is 72 minutes a
 * day.
 */
const TARGET = 0.05
const CHANNELS = process.argv.includes('--short') ? 100 : 1000
const DAY_SECONDS = 86_400
const POSTS = process.argv.includes('--short') ? 500 : 4000
/** Readings that each of them has already. */
const READINGS = 20
/** Of 200,000 posts: 274 a day. Each is read three times on its first day, daily until day 30, weekly until 90, and monthly. */
const READ_A_DAY = (200_000 / 730) * (3 + 30 + 60 / 7 + 640 / 30)

const stage = await openStage(() => [])
const { builders, content, owner, parts: deps } = stage
const names = facebook.channel.map(({ name }) => name)
const account: AccountFigures = {
  series: {
    mostDays: 90,
    calls: () => 1,
    read: async (_reach, _secret, _account, { from, to }) => {
      const days = []
      for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_SECONDS * 1000)
        days.push({
          day: new Date(at).toISOString().slice(0, 10),
          figures: Object.fromEntries(names.map((name, i) => [name, i * 100])),
        })
      return { kind: 'series', days }
    },
  },
  snapshot: async () => ({ kind: 'snapshot', figures: { followers: 100 } }),
}
const figures = Object.fromEntries(facebook.post.map(({ name }, i) => [name, 1000 + i]))
const platform: Platform = {
  ...testPlatform(),
  key: 'facebook',
  budgets: [],
  account,
  metrics: {
    most: 50,
    read: async (_reach, _secret, _account, posts) => ({
      kind: 'metrics',
      of: new Map(posts.map(({ remoteId }) => [remoteId, figures])),
    }),
  },
}

try {
  for (let i = 0; i < CHANNELS; i += 1)
    await content.channel(await builders.signedInOwner(), { handle: `@bench${i}.example` })
  await owner.query("update channel set platform = 'facebook'")
  const context = {
    databases: deps.databases,
    clock: deps.clock,
    log: deps.log,
    signal: new AbortController().signal,
  }
  const reading = { ...deps, platforms: () => platform, accepted: [] }
  const left = async () =>
    z
      .tuple([z.object({ n: z.int() })])
      .parse(
        (await owner.query("select count(*)::int as n from insight_sync where kind = 'days' and next_at <= now()"))
          .rows,
      )[0].n
  // the first reading of each channel, with a step of its history
  do await readDueAccounts(reading, context)
  while ((await left()) > 0)
  await owner.query("delete from insight_sync where kind = 'history'")
  await owner.query('update insight_sync set next_at = now(), read_to = null')
  await owner.query(
    "insert into insight_sync (org_id, channel_id, kind, state) select org_id, id, 'history', 'done' from channel",
  )
  const began = performance.now()
  while ((await left()) > 0) await readDueAccounts(reading, context)
  const seconds = (performance.now() - began) / 1000
  const share = (seconds * (1000 / CHANNELS)) / DAY_SECONDS
  console.log(
    `a day's figures of ${CHANNELS.toLocaleString('en')} channels in ${seconds.toFixed(1)} s, which is ${(share * 100).toFixed(2)}% of a core for 1,000; target at most ${TARGET * 100}%`,
  )
  if (share > TARGET) process.exitCode = 1
  await readPosts(reading, context)
} finally {
  await stage.close()
}

async function readPosts(reading: MetricsDeps, context: JobContext): Promise<void> {
  await owner.query(
    `insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, excerpt, schedule, zone, shown_at, published_at, remote_id, created_at, updated_at)
     select c.org_id, uuidv7(), c.project_id, c.id, c.connected_by, 'PUBLISHED', 'post', '[{"text":"Caw","media":[]}]', 'Caw', '{"type":"NOW"}', 'Europe/London', t.at, t.at, 'remote ' || n, t.at, t.at
     from (select * from channel order by id limit 20) c cross join generate_series(1, $1::int / 20) n cross join lateral (select now() - n * interval '4 hours' as at) t`,
    [POSTS],
  )
  const half = JSON.stringify(
    Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Math.floor(value / 2)])),
  )
  await owner.query('alter table post_metric disable trigger user')
  await owner.query(
    `insert into post_metric (org_id, post_id, figures, read_at, since)
     select p.org_id, p.id, $1, p.published_at + n * interval '1 minute', p.published_at from measured_post p cross join generate_series(1, $2::int) n`,
    [half, READINGS],
  )
  await owner.query('alter table post_metric enable trigger user')
  await owner.query('update measured_post set metrics_at = now()')
  await owner.query('analyze')
  const began = performance.now()
  let read = 0
  for (let one = -1; one !== 0; read += one) one = await readDueMetrics(reading, context)
  await foldCounts(context)
  const seconds = (performance.now() - began) / 1000
  if (read !== POSTS) throw new Error(`${read} of ${POSTS} posts were read`)
  const share = ((seconds / read) * READ_A_DAY) / DAY_SECONDS
  console.log(
    `figures of ${read.toLocaleString('en')} posts in ${seconds.toFixed(1)} s, which is ${(share * 100).toFixed(2)}% of a core for 200,000; target at most ${TARGET * 100}%`,
  )
  if (share > TARGET) process.exitCode = 1
}
