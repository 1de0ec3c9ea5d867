import { sql } from 'kysely'
import type pg from 'pg'
import type { Clock } from '../clock.ts'
import { asSystem } from '../db/system.ts'
import { overrule, putDeliveries } from '../delivery/overrule.ts'
import type { Notify } from '../notifications/create.ts'
import type { Log } from '../log.ts'

export type WatchdogDeps = {
  pool: pg.Pool
  clock: Clock
  log: Log
  notify: Notify
  /** Milliseconds between two checks; 0 for none. */
  every: number
  /** Other work that runs at the same interval. */
  also: () => Promise<void>
}

/**
 * Due, but nothing happened: checked without the lanes, because a lane may be what failed. Waiting for a person
 * counts as an event (failure is set). A post in progress has a time for its next step, which ends with it: if that
 * is long past, or missing, no node is working on the post.
 */
const OVERDUE = `
  (select p.org_id, p.project_id, p.id, p.channel_id, p.due_at, p.state, null as key, d.step_at is null as forgotten
  from post p left join delivery d on d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'post'
  where p.state in ('SCHEDULED', 'QUEUED') and p.due_at < $1::timestamptz - interval '1 minute' and p.failure is null
  order by p.due_at limit 1000)
  union all
  (select p.org_id, p.project_id, p.id, p.channel_id, p.due_at, p.state, null as key, d.step_at is null as forgotten
  from post p left join delivery d on d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'post'
  where p.state = 'PROCESSING' and (d.step_at is null or d.step_at < $1::timestamptz - interval '5 minutes')
  limit 1000)
  union all
  (select p.org_id, p.project_id, p.id, p.channel_id, p.due_at, p.state, d.key, d.step_at is null as forgotten
  from delivery d join post p on p.org_id = d.org_id and p.id = d.subject_id join channel c on c.org_id = p.org_id and c.id = p.channel_id
  where d.subject = 'follow-up' and d.step is not null and p.state = 'PUBLISHED'
    and (d.step_at is null
      or (d.step = 'reconcile' and d.step_at < $1::timestamptz - interval '5 minutes')
      -- a follow-up may wait for its channel, and then until its limit
      or (d.step = 'send' and greatest(d.step_at, d.wanted_at + make_interval(mins => c.lateness_minutes)) < $1::timestamptz - interval '5 minutes'))
  limit 1000)`

/** Milliseconds: a short delay isn't worth a notification. */
const TELL_AFTER = 5 * 60_000

type Overdue = {
  org_id: string
  project_id: string
  id: string
  channel_id: string
  due_at: Date
  state: 'SCHEDULED' | 'QUEUED' | 'PROCESSING' | 'PUBLISHED'
  /** For a follow-up. */
  key: string | null
  forgotten: boolean
}

/** Compares what was due with what happened, independently of the lanes. */
export class Watchdog {
  readonly #deps: WatchdogDeps
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  /** Posts that are a minute or more late without any recorded event; a metric. */
  overdue = 0

  constructor(deps: WatchdogDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#deps.every === 0) return
    this.#timer = setInterval(() => {
      this.#looking = this.look().catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'the watchdog of publishing could not look'),
      )
    }, this.#deps.every)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#looking
    await this.#deps
      .also()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'punctuality could not be written'))
  }

  /** One check. A post without a lane is put back on it, where its lateness limit decides; people are notified. */
  async look(): Promise<void> {
    const { pool, clock, log } = this.#deps
    await this.#deps.also()
    const now = clock.now()
    const { rows } = await pool.query<Overdue>(OVERDUE, [now])
    this.overdue = rows.length
    if (rows.length === 0) return
    const forgotten = rows.filter((row) => row.forgotten)
    log.error({ overdue: rows.length, forgotten: forgotten.length }, 'posts are overdue')
    await this.#putBack(forgotten, now)
    await this.#tell(
      rows
        .filter((row) => row.state === 'SCHEDULED' || row.state === 'QUEUED')
        .filter((row) => row.forgotten || now.getTime() - row.due_at.getTime() > TELL_AFTER),
      now,
    )
    // a lane that oversleeps its posts is woken; one that is awake was already checked
    await pool.query(
      'update lane set wake_at = least(wake_at, $2) where (org_id, channel_id) in (select * from unnest($1::uuid[], $3::uuid[]))',
      [rows.map((row) => row.org_id), now, rows.map((row) => row.channel_id)],
    )
  }

  async #putBack(forgotten: readonly Overdue[], now: Date): Promise<void> {
    for (const post of forgotten) {
      await asSystem(this.#deps.pool, async (tx) => {
        const { rows } = await sql`
          select from post where org_id = ${post.org_id} and id = ${post.id} and state = ${post.state} for no key update`.execute(
          tx,
        )
        if (rows.length === 0) return
        // one that was tried before may be published: it's looked up first. What was acknowledged is only ever read
        // back
        if (post.key === null)
          await putDeliveries(
            sql`(org_id, channel_id, subject, subject_id, step, step_at, wanted_at)
            values (${post.org_id}, ${post.channel_id}, 'post', ${post.id}, 'send', ${now}, ${post.due_at})`,
            sql`step_at = excluded.step_at, wanted_at = excluded.wanted_at,
              step = case when d.remote_id is not null then 'readback' when d.send_key is not null then 'reconcile' else 'send' end
            where d.step_at is null`,
          ).execute(tx)
        // a live post without remaining follow-ups has neither
        else
          await overrule(
            sql`step = 'reconcile', step_at = ${now}`,
            sql`where d.org_id = ${post.org_id} and d.subject_id = ${post.id} and d.subject = 'follow-up' and d.key = ${post.key} and d.step_at is null and d.step is not null`,
          ).execute(tx)
      })
    }
  }

  /** One notification per project, however many posts there are. */
  async #tell(overdue: readonly Overdue[], now: Date): Promise<void> {
    const projects = new Map(overdue.map((post) => [post.project_id, post]))
    for (const [projectId, first] of projects) {
      const own = overdue.filter((post) => post.project_id === projectId)
      const count = own.length
      const notification = {
        orgId: first.org_id,
        projectId,
        dedupeKey: `project:${projectId}:overdue`,
        kind: 'post-overdue' as const,
        params: { count, postId: count === 1 ? first.id : null },
        people: 'project-editors' as const,
        channelIds: own.map((post) => post.channel_id),
        authorsOf: own.map((post) => post.id),
      }
      await asSystem(this.#deps.pool, (tx) => this.#deps.notify(tx, notification, now))
    }
  }
}
