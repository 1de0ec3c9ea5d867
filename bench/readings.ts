import { z } from 'zod'
import { facebook } from '#contract/analytics/catalog/facebook.ts'
import { readDueAccounts } from '#server/insights/readAccounts.ts'
import type { AccountFigures, Platform } from '#server/platforms/platform.ts'
import { testPlatform } from '#server/testing/content.ts'
import { openStage } from './_stage.ts'

/*
 * What a day of reading 1,000 channels' figures costs: the days that aren't final with all figures of the richest platform, and the
 * current values, against a platform that responds at once. All time counts, of this process and of PostgreSQL: it may be 5% of a
 * core, which is 72 minutes a day.
 */
const TARGET = 0.05
const CHANNELS = process.argv.includes('--short') ? 100 : 1000
const DAY_SECONDS = 86_400

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
const platform: Platform = { ...testPlatform(), key: 'facebook', budgets: [], account }

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
} finally {
  await stage.close()
}
