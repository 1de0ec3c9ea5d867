import type { PublishingOptions } from '../publishing/options.ts'
import { systemClock } from '../clock.ts'
import { countStates, makeChannels, makeHouse, makePosts, simulatedSecret } from './publishing.ts'
import { startBlueskySimulator } from './simulator/bluesky.ts'
import { seeded, type Faults } from './simulator/faults.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'
import { spawnWorker, type WorkerProcess } from './workers.ts'

/*
 * Many posts through failing answers, while workers and the database are killed at random moments; then the simulator's
 * ledger is compared with what our database says. Used by `npm test` (short) and `npm run bench -- faults` (long).
 */

export type FaultRun = { posts: number; kills: number; channels: number; workers: number; seed: number; faults: Partial<Faults>; deadline: number; tell?: (line: string) => void }

export type FaultReport = {
  states: Record<string, number>
  /** Commits that were asked of the platform for a record that it already had, by text. */
  twice: string[]
  /** PUBLISHED here and not there. */
  missing: string[]
  /** There, and here neither PUBLISHED nor explained. */
  unexplained: string[]
  kills: { workers: number; databases: number }
  seconds: number
  requests: number
}

/** Shortened so that a dead worker is noticed after a second; leases stay as they are. */
export const hurried: Partial<PublishingOptions> = { heartbeat: 350, rescueAfter: 1000, rescueEvery: 100, backoff: 250, settleMargin: 500, watchdog: 0, absenceGap: 2000, lookAgain: 1000 }

const commonFaults: Partial<Faults> = { dropBefore: 0.02, dropAfter: 0.02, late: 0.02, lateMs: 700, limited: 0.01, limitedSeconds: 1, broken: 0.02, garbled: 0.02 }

export async function runFaults(run: FaultRun): Promise<FaultReport> {
  const stage = await openStage()
  const simulator = await startBlueskySimulator({ faults: { ...commonFaults, seed: run.seed, ...run.faults } })
  const random = seeded(run.seed + 1)
  const order = { settings: stage.settings, allow: simulator.allow, options: hurried }
  const workers: WorkerProcess[] = Array.from({ length: run.workers }, () => spawnWorker(order))
  const counted = { workers: 0, databases: 0 }
  const began = performance.now()
  try {
    const now = systemClock.now()
    const house = await makeHouse(stage.owner, now)
    const channels = await makeChannels(stage.owner, house, run.channels, { now, secret: ({ did }) => simulatedSecret(simulator.origin, did) })
    const spread = run.posts * 5
    const posts = Array.from({ length: run.posts }, (_, i) => ({ channelId: channels[i % channels.length]?.channelId ?? '', dueAt: new Date(now.getTime() + 1000 + Math.floor(random() * spread)), text: `post ${i}` }))
    await makePosts({ owner: stage.owner, databases: stage.databases, clock: systemClock }, house, posts)

    // moments are measured in posts that went out, so that a slow machine gets the same run
    const moments = Array.from({ length: run.kills }, () => Math.floor(random() * run.posts * 0.95)).toSorted((a, b) => a - b)
    for (const [i, moment] of moments.entries()) {
      await until(() => simulator.ledger.length >= moment, { deadline: run.deadline, what: `post ${moment} of ${run.posts}` })
      if (i % 5 === 4) {
        await killDatabase(stage)
        counted.databases += 1
      } else {
        const at = Math.floor(random() * workers.length)
        await workers[at]?.kill()
        workers[at] = spawnWorker(order)
        counted.workers += 1
      }
      if (i % 20 === 19) run.tell?.(`  ${i + 1} kills, ${simulator.ledger.length} of ${run.posts} posts out, ${Math.round((performance.now() - began) / 1000)} s`)
    }
    await until(async () => (await openPosts(stage)) === 0, { deadline: run.deadline, what: 'every post to come to an end' })
    return { ...(await compare(stage, simulator.ledger, simulator.duplicates)), kills: counted, seconds: (performance.now() - began) / 1000, requests: [...simulator.calls.values()].reduce((sum, n) => sum + n, 0) }
  } catch (error) {
    for (const worker of workers) run.tell?.(worker.lines.slice(-12).map(({ line }) => line).join('\n'))
    throw error
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()))
    await simulator.stop()
    await stage.close()
  }
}

/** kill -9 of PostgreSQL's first process; the supervisor starts it again. */
async function killDatabase({ supervisor }: Stage): Promise<void> {
  const pid = await until(() => (supervisor.state === 'ready' ? supervisor.pid() : undefined), { deadline: 60_000, what: 'the database to run' })
  process.kill(pid, 'SIGKILL')
  await until(() => supervisor.state !== 'ready', { what: 'the death of the database to be noticed' })
}

async function openPosts(stage: Stage): Promise<number> {
  const { rows } = await stage.owner.query<{ n: number }>("select count(*) as n from post where state in ('SCHEDULED', 'QUEUED', 'PROCESSING') or (state = 'UNCONFIRMED' and step is not null)")
  return rows[0]?.n ?? -1
}

type Entry = { text: string }

async function compare(stage: Stage, ledger: readonly Entry[], duplicates: readonly Entry[]): Promise<Pick<FaultReport, 'states' | 'twice' | 'missing' | 'unexplained'>> {
  const { rows } = await stage.owner.query<{ text: string; state: string; explained: boolean }>("select contents->0->>'text' as text, state, failure is not null as explained from post")
  const there = new Map<string, number>()
  for (const { text } of ledger) there.set(text, (there.get(text) ?? 0) + 1)
  return {
    states: await countStates(stage.owner),
    twice: [...duplicates.map((entry) => entry.text), ...[...there].filter(([, times]) => times > 1).map(([text]) => text)],
    missing: rows.filter(({ text, state }) => state === 'PUBLISHED' && !there.has(text)).map(({ text }) => text),
    unexplained: rows.filter(({ text, state, explained }) => (state !== 'PUBLISHED' && !explained) || (state === 'FAILED' && there.has(text))).map(({ text }) => text),
  }
}
