import { randomUUIDv7 } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { hostname } from 'node:os'
import { Logger, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db/pools.ts'
import type { Log } from '../log.ts'
import type { AnyJob } from './job.ts'
import { retriedPool } from './retriedPool.ts'
import { LivenessMonitor, type Beat } from './livenessMonitor.ts'

export type JobDeps = {
  databases: Databases
  clock: Clock
  log: Log
  jobs: readonly AnyJob[]
  /** Milliseconds. A worker that is silent for three of them loses its jobs to the others. */
  heartbeat: number
  /** No other worker can be alive: this process has the database's DATA_DIR. */
  alone?: boolean
}

export type Jobs = { stop(): Promise<void> }

const CONCURRENCY = 8
const QUEUE = { size: 8, ttl: 5000 }

/** Runs background jobs until it's stopped. Other workers unlock a dead one's jobs after three heartbeats. */
export async function startJobs(deps: JobDeps): Promise<Jobs> {
  const events: WorkerEvents = new EventEmitter()
  const pools: string[] = []
  events.on('pool:create', ({ workerPool }) => pools.push(workerPool.id))
  const stopping = new AbortController()
  const runner = await run({
    pgPool: retriedPool(deps.databases.jobs, () => stopping.signal.aborted),
    events,
    noHandleSignals: true,
    logger: loggerOf(deps.log),
    taskList: tasksOf(deps, stopping.signal),
    parsedCronItems: parseCronItems(
      deps.jobs.flatMap(({ name, every }) =>
        every === undefined ? [] : [{ task: name, match: every, identifier: name }],
      ),
    ),
    preset: { worker: { concurrentJobs: CONCURRENCY, localQueue: QUEUE, pollInterval: 2000 } },
  })
  const [poolId] = pools
  if (poolId === undefined) throw new Error('the job library made no pool')
  const heartbeat = new JobHeartbeat(deps, poolId)
  if (deps.alone) await heartbeat.unlockAll()
  await heartbeat.start()
  return {
    stop: async () => {
      stopping.abort()
      await runner.stop()
      await heartbeat.stop()
    },
  }
}

function tasksOf({ jobs, databases, clock, log }: JobDeps, signal: AbortSignal): TaskList {
  const context = { databases, clock, log, signal }
  return Object.fromEntries(
    jobs.map((job) => [
      job.name,
      async (payload: unknown) => {
        // the library adds _cron to scheduled jobs
        const { _cron, ...own } =
          typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {} // checked in this line
        await job.perform(context, own)
      },
    ]),
  )
}

/**
 * Jobs' payloads and errors may contain personal data: only the library's own messages are logged, and only from
 * warnings up.
 */
function loggerOf(log: Log): Logger {
  return new Logger(() => (level, message) => {
    if (level === 'error') log.error({}, message)
    else if (level === 'warning') log.warn({}, message)
  })
}

const BEAT = `
  insert into node (id, started_at, seen_at, role, pool_id, host) values ($1, $2, $2, 'jobs', $3, $4)
  on conflict (id) do update set seen_at = greatest(excluded.seen_at, node.seen_at + interval '1 microsecond')`

/** Reports that this pool is alive, and unlocks the jobs of dead pools: the library itself waits four hours. */
class JobHeartbeat {
  readonly #pool: pg.Pool
  readonly #deps: JobDeps
  readonly #poolId: string
  readonly #id = randomUUIDv7()
  readonly #silence: LivenessMonitor
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> = Promise.resolve()

  constructor(deps: JobDeps, poolId: string) {
    this.#pool = deps.databases.jobs
    this.#deps = deps
    this.#poolId = poolId
    this.#silence = new LivenessMonitor(deps.heartbeat * 3)
  }

  async start(): Promise<void> {
    await this.#beat()
    this.#timer = setInterval(() => {
      this.#beating = this.#beat().catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, "a job heartbeat couldn't be written"),
      )
    }, this.#deps.heartbeat)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    await this.#pool.query('delete from node where id = $1', [this.#id])
  }

  async #beat(): Promise<void> {
    await this.#pool.query(BEAT, [this.#id, this.#deps.clock.now(), this.#poolId, hostname()])
    const { rows } = await this.#pool.query<Beat & { pool_id: string }>(
      "select id, seen_at::text as sign, pool_id from node where role = 'jobs'",
    )
    for (const id of this.#silence.observe(rows, this.#deps.clock.monotonic())) {
      const dead = rows.find((row) => row.id === id)
      if (!dead || id === this.#id) continue
      await this.#unlock(dead)
    }
  }

  /** Unlocks all workers' jobs. Only if none can be alive, before this one is registered. */
  async unlockAll(): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string; pool_id: string }>(
      "select id, pool_id from node where role = 'jobs'",
    )
    for (const dead of rows) await this.#unlock(dead)
  }

  async #unlock({ id, pool_id: poolId }: { id: string; pool_id: string }): Promise<void> {
    await this.#pool.query('select graphile_worker.force_unlock_workers($1)', [[poolId]])
    await this.#pool.query('delete from node where id = $1', [id])
    this.#deps.log.warn({ poolId }, 'the jobs of a dead worker were unlocked')
  }
}
